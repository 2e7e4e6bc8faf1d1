/** How a request is signed. The interface does not show it, so the signer can be exchanged; HMAC-SHA-256 is the default. */
import { createHmac } from "node:crypto";

export interface SigningInput {
  readonly method: "POST";
  /** Path with query, as sent. */
  readonly path: string;
  /** The very bytes that are sent. */
  readonly body: Uint8Array;
}

/** Returns the headers that authenticate a request: at least `key` and `signature`. */
export type Signer = (input: SigningInput) => Readonly<Record<string, string>>;

/** Signature: lower-case hex HMAC-SHA-256 over method, path and body, the first two each ended by a line feed (RFC 2104). */
export function hmacSigner(key: string, secret: string): Signer {
  return ({ method, path, body }) => ({
    key,
    signature: createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest("hex"),
  });
}
