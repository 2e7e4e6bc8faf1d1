/**
 * Measures how long ago a submission ended when machines take turns with a lane. Monotonic clocks of different
 * machines cannot be compared, so each machine measures by its own: from the end itself if it held the lane then,
 * otherwise from when it next took the lane, which is later.
 */
import { monotonicClockId } from "../../context/machine.ts";
import { wholeMs } from "../../model/index.ts";
import { run, single, sql, type Transaction } from "../sql.ts";

interface MachineClock {
  /** Identifies the clock (context/machine.ts). */
  readonly clock: string;
  readonly monotonicMs: number;
}

/** Times the key's submissions by a new holder's clock; keeps the former one's measurements in case it returns. */
export function* timeByClock(
  keyId: string,
  formerClock: string,
  { clock, monotonicMs }: MachineClock,
): Transaction<void> {
  if (clock === formerClock) return;
  yield* run(sql`insert into ended_by_clock (submission_id, clock, outcome, ended_at, sends, monotonic_ms)
    select id, ${formerClock}, outcome, ended_at, sends, ended_monotonic_ms from submission
    where key_id = ${keyId} and (outcome = 'in doubt' or (outcome = 'accepted' and seen_after_ms is null))
      and ended_at is not null and ended_monotonic_ms is not null
    on conflict (submission_id, clock) do update set outcome = excluded.outcome, ended_at = excluded.ended_at,
      sends = excluded.sends, monotonic_ms = excluded.monotonic_ms`);
  // Payouts that have been seen need no timing any more.
  yield* run(sql`update submission set ended_monotonic_ms = null
    where key_id = ${keyId} and outcome = 'accepted' and seen_after_ms is not null and ended_monotonic_ms is not null`);
  yield* run(sql`delete from ended_by_clock where submission_id in (select id from submission
    where key_id = ${keyId} and (outcome not in ('in doubt', 'accepted') or seen_after_ms is not null))`);
  // A former measurement counts only if the submission was not sent again and its outcome did not change.
  yield* run(sql`update submission set ended_monotonic_ms = coalesce((select monotonic_ms from ended_by_clock as own
      where own.submission_id = submission.id and own.clock = ${clock} and own.outcome = submission.outcome
        and own.ended_at = submission.ended_at and own.sends = submission.sends), ${wholeMs(monotonicMs)})
    where key_id = ${keyId} and (outcome = 'in doubt' or (outcome = 'accepted' and seen_after_ms is null))`);
}

/** Whether this machine's clock times the key's submissions; always true without a shared database. */
export function* isTimedByThisClock(keyId: string): Transaction<boolean> {
  const clock = yield* single<string>(sql`select clock from lease where key_id = ${keyId}`);
  return clock === undefined || clock === monotonicClockId();
}
