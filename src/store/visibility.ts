/** How soon the service shows the payouts that it accepted, measured for each on the machine's monotonic clock. */
import { type Instant, type Instruction, isPlainReference, type PayoutId } from "../model/index.ts";
import { type InstructionRow, instructionFrom } from "./instructions.ts";
import { all, countOf, objects, run, single, sql, type Transaction } from "./sql.ts";

export interface UnseenAcceptance {
  readonly submissionId: number;
  readonly instruction: Instruction;
  readonly payoutId: string;
  readonly endedMonotonicMs: number;
}

/** At most `count` accepted submissions of a key after `after` whose payouts no look has shown, oldest first. */
export function* listUnseen(keyId: string, after: number, count: number): Transaction<UnseenAcceptance[]> {
  const rows = yield* all<
    InstructionRow & { submission_id: number; accepted_payout: string; ended_monotonic_ms: number }
  >(
    sql`select instruction.id, batch_id, row, fields, standing, reason, instruction.payout_id,
      submission.id as submission_id, submission.payout_id as accepted_payout, ended_monotonic_ms
      from submission join instruction on instruction.id = instruction_id
      where key_id = ${keyId} and outcome = 'accepted' and submission.id > ${after} and seen_after_ms is null
        and ended_monotonic_ms is not null
      order by submission.id limit ${count}`,
  );
  return rows.map((row) => ({
    submissionId: row.submission_id,
    instruction: instructionFrom(row),
    payoutId: row.accepted_payout,
    endedMonotonicMs: row.ended_monotonic_ms,
  }));
}

/** Records that a look showed the payout `afterMs` after its acceptance, `equal` to what was sent or `changed`. */
export function* recordSeen(id: number, afterMs: number, echo: "equal" | "changed"): Transaction<void> {
  yield* run(
    sql`update submission set seen_after_ms = ${Math.round(afterMs)}, echo = ${echo === "equal" ? undefined : echo}
      where id = ${id} and seen_after_ms is null`,
  );
}

/** Records that a complete look did not show the payout `afterMs` after its acceptance. */
export function* recordAbsent(id: number, afterMs: number): Transaction<void> {
  yield* run(sql`update submission set absent_after_ms = ${Math.round(afterMs)}
    where id = ${id} and coalesce(absent_after_ms, 0) < ${Math.round(afterMs)}`);
}

export interface Witness {
  readonly reference: string;
  readonly payoutId: PayoutId;
}

/**
 * The key's latest accepted payout that a look has shown as it was sent; if `isPlain` is false, the latest one
 * whose reference is not plain. Undefined if there is none.
 */
export function* findWitness(keyId: string, isPlain: boolean): Transaction<Witness | undefined> {
  const witnesses = yield* objects<Witness>(sql`select reference, submission.payout_id
    from submission join instruction on instruction.id = instruction_id
    where key_id = ${keyId} and outcome = 'accepted' and seen_after_ms is not null and echo is null
    order by submission.id desc limit ${isPlain ? 1 : WITNESSES_MAX}`);
  return isPlain ? witnesses[0] : witnesses.find(({ reference }) => !isPlainReference(reference));
}

/** Only this many payouts are searched for such a reference; if none has one, a person decides. */
const WITNESSES_MAX = 1000;

/** A payout seen since its acceptance, and the address where it was made. */
interface SeenElsewhere {
  readonly payoutId: PayoutId;
  readonly baseUrl: string;
}

type Seen = SeenElsewhere & { readonly endedAt: Instant };

/**
 * The latest payout of a key that a look has shown (of any key if that key has none). Undefined if it was made at
 * this address, or if a baseline was taken since, because a baseline starts again.
 */
export function* findSeenElsewhere(keyId: string, baseUrl: string): Transaction<SeenElsewhere | undefined> {
  const [own] = yield* objects<Seen>(sql`select payout_id, base_url, ended_at from submission
    where key_id = ${keyId} and outcome = 'accepted' and seen_after_ms is not null order by id desc limit 1`);
  const [any] = yield* objects<Seen>(sql`select payout_id, base_url, ended_at from submission
    where outcome = 'accepted' and seen_after_ms is not null order by id desc limit 1`);
  const seen = own ?? any;
  if (seen === undefined || seen.baseUrl === baseUrl) return undefined;
  const baseline = yield* single<Instant>(
    sql`select max(observed_at) from balance where purpose = 'opening'`,
  );
  return (baseline ?? "") > seen.endedAt ? undefined : seen;
}

/** The longest time that an accepted payout of a key is known to have been missing from looks; 0 if none was. */
export function longestLagMs(keyId: string): Transaction<number> {
  return countOf(sql`select max(absent_after_ms) from submission
    where key_id = ${keyId} and absent_after_ms is not null`);
}
