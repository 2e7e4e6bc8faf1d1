/**
 * The sandbox's signature scheme; the interface does not show the service's own.
 *
 *   signature = lower-case hex of HMAC-SHA-256(secret of the key, METHOD + "\n" + PATH + "\n" + body)
 *
 * METHOD is upper case, PATH is the path with its query as sent, and body is the exact bytes of the request's body.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

interface SignedRequest {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Whether the signature is the one that the key's secret gives for this request. */
export type SignatureCheck = (signature: string, secret: string, request: SignedRequest) => boolean;

export const hmacSignatureHolds: SignatureCheck = (signature, secret, { method, path, body }) => {
  const expected = createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest("hex");
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
  );
};
