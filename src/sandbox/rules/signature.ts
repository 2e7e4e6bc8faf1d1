/**
 * The sandbox's signature scheme; the interface does not show the service's own.
 *
 *   signature = lower-case hex of HMAC-SHA-256(secret of the key, METHOD + "\n" + PATH + "\n" + body)
 *
 * METHOD is upper case, PATH is the path without host and query, and body is the exact bytes of the request's body.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** True when `signature` is what the key's secret yields for this request. */
export function signatureHolds(
  signature: string,
  secret: string,
  method: string,
  path: string,
  body: Uint8Array,
): boolean {
  const expected = createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest();
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
