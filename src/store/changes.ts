/** Calls that change something at the service and create no payout: intents and their outcomes. */
import { fault, invariant } from "../faults/index.ts";
import type { Change, ChangeIntent, ChangeOutcome, Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import { all, first, run, sql, type Transaction } from "./sql.ts";

export function* insertChange(intent: ChangeIntent): Transaction<number> {
  const row = yield* first<{ id: number }>(sql`insert into change
    (key_id, nonce, operation, base_url, subject, correlation, person, intended_at)
    values (${intent.keyId}, ${intent.nonce.toString()}, ${intent.operation}, ${intent.baseUrl}, ${intent.subject},
      ${intent.correlation}, ${intent.person}, ${intent.intendedAt}) returning id`);
  invariant(row !== undefined, "an inserted change has an id");
  return row.id;
}

/** Writes the outcome of a change that is under way or in doubt; an outcome that is final never changes. */
export function* recordChangeOutcome(
  id: number,
  { kind, evidence, depositId }: ChangeOutcome,
  at: Instant,
): Transaction<void> {
  const recorded = yield* all<{ id: number }>(sql`update change
    set outcome = ${kind}, evidence = ${evidence}, deposit_id = ${depositId}, ended_at = ${at}
    where id = ${id} and (outcome is null or outcome = 'in doubt') returning id`);
  invariant(recorded.length === 1, `change ${id} already has a final outcome`);
}

/** Throws CHANGE_UNKNOWN for a number that is none. */
export function* getChange(id: number): Transaction<Change> {
  const row = yield* first<ChangeRow>(sql`select * from change where id = ${id}`);
  if (row === undefined) throw fault("CHANGE_UNKNOWN", { number: id });
  return changeFrom(row);
}

/** Changes of a key that a former process left without an outcome are in doubt. Only the holder of its lane may say so. */
export function* doubtChangesUnderWay(keyId: string, evidence: string, at: Instant): Transaction<void> {
  yield* run(sql`update change set outcome = 'in doubt', evidence = ${evidence}, ended_at = ${at}
    where outcome is null and key_id = ${keyId}`);
}

export function* listChangesInDoubt(): Transaction<Change[]> {
  return (yield* all<ChangeRow>(sql`select * from change where outcome = 'in doubt' order by id`)).map(
    changeFrom,
  );
}

/** Whether something of a key was sent, or may have been, whose outcome was never written or is in doubt. */
export function* hasOpenChange(keyId: string): Transaction<boolean> {
  const row = yield* first(sql`select 1 from change
    where (outcome is null or outcome = 'in doubt') and key_id = ${keyId} limit 1`);
  return row !== undefined;
}

/** Changes about a subject that were accepted, or may have been. */
export function* findChanges(subject: string): Transaction<Change[]> {
  const rows = yield* all<ChangeRow>(sql`select * from change
    where subject = ${subject} and (outcome is null or outcome in ('accepted', 'in doubt')) order by id`);
  return rows.map(changeFrom);
}

interface ChangeRow {
  readonly id: number;
  readonly key_id: string;
  readonly nonce: string;
  readonly operation: string;
  readonly base_url: string;
  readonly subject: string;
  readonly correlation: string;
  readonly person: string;
  readonly intended_at: string;
  readonly outcome: ChangeOutcome["kind"] | null;
  readonly ended_at: string | null;
  readonly evidence: string | null;
  readonly deposit_id: string | null;
}

function changeFrom(row: ChangeRow): Change {
  return {
    id: row.id,
    keyId: row.key_id,
    nonce: BigInt(row.nonce),
    operation: row.operation,
    baseUrl: row.base_url,
    subject: row.subject,
    correlation: row.correlation,
    person: row.person,
    intendedAt: row.intended_at,
    ...present({
      outcome: row.outcome,
      endedAt: row.ended_at,
      evidence: row.evidence,
      depositId: row.deposit_id,
    }),
  };
}
