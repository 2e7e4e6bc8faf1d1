/** The durable nonce of each lane, taken in the intent's own transaction. */
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import { first, run, sql, type Transaction } from "./sql.ts";

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Nonces follow the clock in microseconds, so that they stay above those of a database that was lost; by at most so much at once
 * (400 days), so that a clock which is years ahead for an hour does not use up what the service will take for years.
 */
const JUMP_MAX = 400n * 86_400n * 1_000_000n;

/**
 * The next nonce of a key: above every earlier one, also when the clock went back, and at least `floor`; with `count`, the
 * first of so many in a row. Throws NONCES_EXHAUSTED beyond int64.
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

/** The highest nonce a key ever took; zero before the first. */
export function* lastNonce(keyId: string): Transaction<bigint> {
  const row = yield* first<{ last_nonce: string }>(sql`select last_nonce from lane where key_id = ${keyId}`);
  return row === undefined ? 0n : BigInt(row.last_nonce);
}

function highest(...values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}
