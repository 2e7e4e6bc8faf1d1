/** Nonces come from the clock and from nothing else. */
import type * as original from "../../../src/store/nonces.ts";
import { run, sql } from "../../../src/store/sql.ts";

export * from "../../../src/store/nonces.ts";

export const allocateNonce: typeof original.allocateNonce = function* (keyId, now) {
  const nonce = BigInt(Date.parse(now)) * 1000n;
  yield* run(sql`insert into lane (key_id, last_nonce) values (${keyId}, ${nonce.toString()})
    on conflict (key_id) do update set last_nonce = excluded.last_nonce`);
  return nonce;
};
