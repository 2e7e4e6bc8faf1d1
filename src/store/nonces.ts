/** The durable nonces of each lane, allocated in the intent's own transaction. */
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import { run, single, sql, type Transaction } from "./sql.ts";

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Nonces follow the clock in microseconds, so that they stay above those of a lost database. They jump ahead by at
 * most this much (400 days): a clock that is years ahead for an hour must not use up the nonces of years.
 */
const JUMP_MAX = 400n * 86_400n * 1_000_000n;

/**
 * Allocates the next nonce of a key: above every earlier one, even if the clock went back, and at least `floor`.
 * With `count`, the first of that many consecutive ones. Throws NONCES_EXHAUSTED beyond int64.
 */
export function* allocateNonce(keyId: string, now: Instant, floor: bigint, count = 1): Transaction<bigint> {
  const last = yield* lastNonce(keyId);
  const byClock = BigInt(Date.parse(now)) * 1000n;
  const isWithinReach = last === 0n || byClock - last <= JUMP_MAX;
  const nonce = highest(last + 1n, floor, isWithinReach ? byClock : 0n);
  const newLast = nonce + BigInt(count - 1);
  if (newLast > INT64_MAX) throw fault("NONCES_EXHAUSTED", {});
  yield* run(sql`insert into lane (key_id, last_nonce) values (${keyId}, ${newLast.toString()})
    on conflict (key_id) do update set last_nonce = excluded.last_nonce`);
  return nonce;
}

/** The highest nonce ever allocated for a key; 0 before the first. */
export function* lastNonce(keyId: string): Transaction<bigint> {
  return BigInt((yield* single<string>(sql`select last_nonce from lane where key_id = ${keyId}`)) ?? 0);
}

function highest(...values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}
