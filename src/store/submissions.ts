/** Intents and their outcomes. The unique index `submission_live` refuses a second live one per instruction. */
import { invariant } from "../faults/index.ts";
import {
  type Instant,
  type InstructionId,
  type Intent,
  type Moment,
  type Outcome,
  type Submission,
  wholeMs,
} from "../model/index.ts";
import { lastNonce } from "./nonces.ts";
import {
  all,
  finds,
  insertReturning,
  objects,
  run,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

/** Stores intents of different instructions; their ids by instruction. */
export function* insertIntents(intents: readonly Intent[]): Transaction<ReadonlyMap<InstructionId, number>> {
  const rows = yield* insertReturning<{ readonly id: number; readonly instruction_id: InstructionId }>(
    "insert into submission (instruction_id, attempt, key_id, nonce, operation, base_url, body_hash, intended_at)",
    intents.map(({ instructionId, attempt, keyId, nonce, operation, baseUrl, bodyHash, intendedAt }) => [
      instructionId,
      attempt,
      keyId,
      nonce.toString(),
      operation,
      baseUrl,
      bodyHash,
      intendedAt,
    ]),
    sql`returning id, instruction_id`,
  );
  return new Map(rows.map((row) => [row.instruction_id, row.id]));
}

/** Stores the outcome of a submission that is under way or in doubt; a final outcome never changes. */
export function* recordOutcome(id: number, outcome: Outcome, { at, monotonicMs }: Moment): Transaction<void> {
  const httpStatus = "httpStatus" in outcome ? outcome.httpStatus : undefined;
  const payoutId = outcome.kind === "accepted" ? outcome.payoutId : undefined;
  const sends = outcome.kind === "not sent" && outcome.withheld ? 0 : undefined;
  const recorded = yield* run(sql`update submission
    set outcome = ${outcome.kind}, ended_at = ${at}, evidence = ${outcome.evidence}, payout_id = ${payoutId},
      ended_monotonic_ms = ${wholeMs(monotonicMs)},
      http_status = coalesce(${httpStatus}, http_status), sends = coalesce(${sends}, sends)
    where id = ${id} and (outcome is null or outcome = 'in doubt')`);
  invariant(recorded === 1, `submission ${id} already has a final outcome`);
}

/**
 * Puts an accepted submission back in doubt, because its payout belongs to another. Drops the measurements of that
 * payout.
 */
export function* recordAcceptanceRevoked(id: number, evidence: string): Transaction<void> {
  const recorded = yield* run(sql`update submission
    set outcome = 'in doubt', payout_id = null, evidence = ${evidence}, seen_after_ms = null,
      absent_after_ms = null, echo = null
    where id = ${id} and outcome = 'accepted'`);
  invariant(recorded === 1, `submission ${id} was not accepted`);
}

/**
 * Records a re-send before it happens; the submission stays in doubt until an answer proves otherwise. If the
 * process dies meanwhile, this moment counts as the end of the send. Throws if the payment was given up meanwhile,
 * which can happen under a new client key because that has a lane of its own.
 */
export function* recordResend(id: number, bodyHash: string, { at, monotonicMs }: Moment): Transaction<void> {
  const recorded = yield* run(sql`update submission
    set sends = sends + 1, resent_at = ${at}, ended_monotonic_ms = ${wholeMs(monotonicMs)}
    where id = ${id} and outcome = 'in doubt' and body_hash = ${bodyHash}
      and exists (select 1 from instruction where instruction.id = instruction_id and standing = 'in doubt')`);
  invariant(recorded === 1, `submission ${id} is not in doubt with this body, or its payment is not`);
}

/** Takes back a `recordResend` whose request provably never left. */
export function* recordSendWithheld({
  id,
  endedMonotonicMs,
}: Pick<Submission, "id" | "endedMonotonicMs">): Transaction<void> {
  yield* run(sql`update submission set sends = sends - 1, ended_monotonic_ms = ${endedMonotonicMs}
    where id = ${id} and outcome = 'in doubt'`);
}

/** Records that the last send of a submission in doubt ended without an outcome. */
export function* recordSendEnded(
  id: number,
  evidence: string,
  { at, monotonicMs }: Moment,
): Transaction<void> {
  yield* run(sql`update submission
    set evidence = ${evidence}, ended_at = ${at}, ended_monotonic_ms = ${wholeMs(monotonicMs)}
    where id = ${id} and outcome = 'in doubt'`);
}

/**
 * Whether a higher nonce of the same key has left or may have. False for the highest allocated nonce. Otherwise one
 * of the latest is usually higher, so the search starts there.
 */
export function* isOvertaken(keyId: string, nonce: bigint): Transaction<boolean> {
  if (nonce === (yield* lastNonce(keyId))) return false;
  const digits = nonce.toString();
  // Decimal texts of the same sign compare like numbers if the length is compared first.
  const bySubmission = yield* finds(sql`select 1 from submission
    where key_id = ${keyId} and (outcome is null or outcome <> 'not sent')
      and (length(nonce), nonce) > (${digits.length}, ${digits}) order by id desc limit 1`);
  if (bySubmission) return true;
  return yield* finds(sql`select 1 from change
    where key_id = ${keyId} and (outcome is null or outcome <> 'not sent')
      and (length(nonce), nonce) > (${digits.length}, ${digits}) limit 1`);
}

/** Submissions without an outcome: being sent by this process or a dead one. */
export function listUnderWay(): Transaction<Submission[]> {
  return submissionsIn(sql`${SUBMISSION} where outcome is null order by id`);
}

/** Submissions in doubt. Leaves out those that a person has abandoned, which only reconciliation watches. */
export function listInDoubt(): Transaction<Submission[]> {
  return submissionsIn(sql`${SUBMISSION} join instruction on instruction.id = instruction_id
    where outcome = 'in doubt' and standing <> 'abandoned' order by submission.id`);
}

/** An intent with its payment. */
export interface PaymentIntent {
  readonly id: number;
  readonly instruction_id: InstructionId;
  readonly intended_at: Instant;
  readonly currency: string;
  readonly amount: string;
  readonly destination: string;
}

/** The newest intents before one, newest first. */
export function listIntentsBefore(
  id: number | undefined,
  count: number,
): Transaction<readonly PaymentIntent[]> {
  return all(sql`select submission.id, instruction_id, intended_at, currency, amount, destination
    from submission join instruction on instruction.id = instruction_id
    where submission.id < ${id ?? Number.MAX_SAFE_INTEGER} order by submission.id desc limit ${count}`);
}

/** A payment that was, or may have been, sent. */
export interface SentPayment {
  readonly id: number;
  readonly intended_at: Instant;
  readonly custody_account: string;
  readonly amount: string;
}

/** As `listIntentsBefore`, without the requests that were refused or never left. */
export function listSentBefore(id: number | undefined, count: number): Transaction<readonly SentPayment[]> {
  return all(sql`select submission.id, intended_at, amount,
      json_extract(fields, '$.custodyAccountId') as custody_account
    from submission join instruction on instruction.id = instruction_id
    where submission.id < ${id ?? Number.MAX_SAFE_INTEGER}
      and (outcome is null or outcome in ('accepted', 'in doubt'))
    order by submission.id desc limit ${count}`);
}

/** All attempts, oldest first. */
export function* listSubmissions(id: InstructionId): Transaction<Submission[]> {
  return oldestFirst(yield* submissionsIn(sql`${SUBMISSION} where instruction_id = ${id}`));
}

/** The attempts of several instructions, oldest first; no entry for an instruction without attempts. */
export function* listAttempts(
  ids: readonly InstructionId[],
): Transaction<ReadonlyMap<InstructionId, readonly Submission[]>> {
  const submissions = yield* submissionsIn(sql`${SUBMISSION} where instruction_id in ${ids}`);
  return Map.groupBy(oldestFirst(submissions), ({ instructionId }) => instructionId);
}

/** Sorted in code: with an `order by`, SQLite plans the query again each time. */
function oldestFirst(submissions: Submission[]): Submission[] {
  return submissions.sort((left, right) => left.attempt - right.attempt);
}

export interface AnsweredSubmission extends Submission {
  readonly httpStatus?: number;
  readonly payoutId?: string;
}

/** The attempts of several instructions with the service's answers, oldest first. */
export function listAnswered(ids: readonly InstructionId[]): Transaction<AnsweredSubmission[]> {
  return submissionsIn<AnsweredSubmission>(sql`select id, instruction_id, attempt, key_id, nonce, operation,
      base_url, body_hash, intended_at, sends, resent_at, outcome, ended_at, evidence, http_status, payout_id
    from submission where instruction_id in ${ids} order by id`);
}

export function* findLastSubmission(id: InstructionId): Transaction<Submission | undefined> {
  return (yield* listSubmissions(id)).at(-1);
}

/** When the last request of a key, submission or change, may have left; undefined before the first. */
export function lastSentAt(keyId: string): Transaction<Instant | undefined> {
  return single(sql`select max(at) as at from (
    select * from (select intended_at as at from submission where key_id = ${keyId} order by id desc limit 1) as sent
    union all select max(resent_at) from submission where key_id = ${keyId} and resent_at is not null
    union all select * from (select intended_at from change
      where key_id = ${keyId} order by id desc limit 1) as changed) as latest`);
}

export interface LastOutcome {
  readonly kind: Outcome["kind"];
  readonly httpStatus?: number | undefined;
  readonly endedAt?: Instant | undefined;
}

/**
 * The outcomes of a key's latest submissions, newest first; undefined for one still under way. Leaves out those
 * that never left: intents that a run gives back at its end say nothing about the service.
 */
export function* lastOutcomes(keyId: string, count: number): Transaction<(LastOutcome | undefined)[]> {
  const rows = yield* objects<Omit<LastOutcome, "kind"> & { readonly outcome?: LastOutcome["kind"] }>(
    sql`select outcome, http_status, ended_at from submission
      where key_id = ${keyId} and (outcome is null or outcome <> 'not sent') order by id desc limit ${count}`,
  );
  return rows.map(({ outcome: kind, ...answer }) => (kind === undefined ? undefined : { kind, ...answer }));
}

/** The other columns are read by `listAnswered`, `lastOutcomes` and visibility.ts. */
const SUBMISSION = sql`select submission.id, instruction_id, attempt, key_id, nonce, operation, base_url, body_hash,
    intended_at, sends, resent_at, outcome, ended_at, ended_monotonic_ms, evidence
  from submission`;

function* submissionsIn<Row extends Submission = Submission>(statement: Statement): Transaction<Row[]> {
  const kept = yield* objects<Omit<Row, "nonce"> & { readonly nonce: string }>(statement);
  return kept.map(({ nonce, ...submission }) => ({ ...submission, nonce: BigInt(nonce) }) as unknown as Row);
}
