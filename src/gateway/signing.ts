/** How a request is signed. The interface does not show it, so the signer can be exchanged (module-signer.ts); HMAC-SHA-256 is the default. */
import { createHmac } from "node:crypto";
import type { HttpMethod } from "../context/transport.ts";

export interface SigningInput {
  readonly method: HttpMethod;
  /** Path with query, as sent. */
  readonly path: string;
  /** The very bytes that are sent; none for a request without a body. */
  readonly body: Uint8Array;
}

export type SignedHeaders = Readonly<Record<string, string>>;

/** Returns the headers that authenticate a request: at least `key` and `signature`. A request whose signer throws is not sent. */
export type Signer = (input: SigningInput) => SignedHeaders | Promise<SignedHeaders>;

/** Signature: lower-case hex HMAC-SHA-256 over method, path and body, the first two each ended by a line feed (RFC 2104). */
export function hmacSigner(key: string, secret: string) {
  return ({ method, path, body }: SigningInput) => ({
    key,
    signature: createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest("hex"),
  });
}
