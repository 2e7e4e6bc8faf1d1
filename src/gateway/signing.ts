/** Request signing, which the interface leaves open: HMAC-SHA-256 by default, or a module (module-signer.ts). */
import { createHmac } from "node:crypto";
import type { HttpMethod } from "../context/transport.ts";

export interface SigningInput {
  readonly method: HttpMethod;
  /** Path and query, exactly as sent. */
  readonly path: string;
  /** The exact bytes of the body; empty for a request without one. */
  readonly body: Uint8Array;
}

export type SignedHeaders = Readonly<Record<string, string>>;

/**
 * Returns the headers that authenticate a request, at least `key` and `signature`. If it throws, nothing is sent.
 */
export type Signer = (input: SigningInput) => SignedHeaders | Promise<SignedHeaders>;

/** Signs with HMAC-SHA-256 (RFC 2104) over method, line feed, path, line feed, body; lower-case hex. */
export function hmacSigner(key: string, secret: string) {
  return ({ method, path, body }: SigningInput) => ({
    key,
    signature: createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest("hex"),
  });
}
