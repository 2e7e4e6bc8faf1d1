/** Changes (calls that change something at the service and create no payout): their intents and outcomes. */
import { fault, invariant } from "../faults/index.ts";
import {
  type Change,
  type ChangeIntent,
  type ChangeOutcome,
  custodyAccountId,
  type DepositId,
  type Instant,
  type MissingOrFailedDeposit,
  type RequestedDeposit,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { amountOf } from "../money/index.ts";
import { markChanged } from "./mark-changed.ts";
import { column, finds, insertOne, objects, run, type Statement, sql, type Transaction } from "./sql.ts";

export function insertChange(intent: ChangeIntent): Transaction<number> {
  const { requested } = intent;
  return insertOne(sql`insert into change
    (key_id, nonce, operation, base_url, subject, correlation, person, intended_at,
      custody_account_id, amount, currency)
    values (${intent.keyId}, ${intent.nonce.toString()}, ${intent.operation}, ${intent.baseUrl}, ${intent.subject},
      ${intent.correlation}, ${intent.person}, ${intent.intendedAt},
      ${requested?.custodyAccountId}, ${requested?.amount?.value.toString()}, ${requested?.amount?.currency})
        returning id`);
}

/** Stores the outcome of a change that is under way or in doubt; a final outcome never changes. */
export function* recordChangeOutcome(
  id: number,
  { kind, evidence, depositId }: ChangeOutcome,
  at: Instant,
): Transaction<void> {
  const recorded = yield* run(sql`update change
    set outcome = ${kind}, evidence = ${evidence}, deposit_id = ${depositId}, ended_at = ${at}
    where id = ${id} and (outcome is null or outcome = 'in doubt')`);
  invariant(recorded === 1, `change ${id} already has a final outcome`);
  // The deposit may have been seen, and compared without its request, before its creation was answered.
  if (depositId !== undefined) yield* markChanged("deposit", [depositId]);
}

/** The change with this number. Throws NAME_UNKNOWN. */
export function* getChange(id: number): Transaction<Change> {
  const [found] = yield* changesIn(sql`select * from change where id = ${id}`);
  if (found === undefined) {
    const how = "`paydrop doubt` lists the deposits, voids and authorizations in doubt with their numbers.";
    throw fault("NAME_UNKNOWN", { what: `change with the number ${id}`, how });
  }
  return found;
}

/**
 * Marks a key's changes that an earlier process left without an outcome as in doubt. The caller holds the key's
 * lane.
 */
export function* doubtChangesUnderWay(keyId: string, evidence: string, at: Instant): Transaction<void> {
  yield* run(sql`update change set outcome = 'in doubt', evidence = ${evidence}, ended_at = ${at}
    where outcome is null and key_id = ${keyId}`);
}

/** Changes in doubt, and those without an outcome yet: they are under way, or their process died. */
export function listOpenChanges(): Transaction<Change[]> {
  return changesIn(sql`select * from change where outcome is null or outcome = 'in doubt' order by id`);
}

/** Whether a change of this key has no outcome yet or is in doubt. */
export function hasOpenChange(keyId: string): Transaction<boolean> {
  return finds(sql`select 1 from change
    where (outcome is null or outcome = 'in doubt') and key_id = ${keyId} limit 1`);
}

/** Changes to a subject that the service accepted or may have accepted. */
export function findChanges(subject: string): Transaction<Change[]> {
  return changesIn(sql`select * from change
    where subject = ${subject} and (outcome is null or outcome in ('accepted', 'in doubt')) order by id`);
}

/** As `findChanges`, for several subjects. */
export function findChangesOf(subjects: readonly string[]): Transaction<Change[]> {
  return changesIn(sql`select * from change
    where subject in ${subjects} and (outcome is null or outcome in ('accepted', 'in doubt')) order by id`);
}

/** All changes to several subjects, whatever their outcomes, oldest first. */
export function listChangesOf(subjects: readonly string[]): Transaction<Change[]> {
  return changesIn(sql`select * from change where subject in ${subjects} order by id`);
}

/** The payoutIds and depositIds that the service has voided for us, of the latest voids. */
export function listVoided(count: number): Transaction<string[]> {
  return column(sql`select subject from change
    where outcome = 'accepted' and operation like 'void%' order by id desc limit ${count}`);
}

/**
 * Our created deposits that the service shows in one of the `failed` states, or that it accepted by `shownUntil`
 * and has never shown. Leaves out those from before the latest baseline.
 */
export function* listMissingOrFailedDeposits(
  shownUntil: Instant,
  failed: readonly string[],
): Transaction<MissingOrFailedDeposit[]> {
  const rows = yield* objects<
    Omit<MissingOrFailedDeposit, "amount"> & { readonly amount?: string; readonly currency?: string }
  >(sql`select deposit_id, subject as reference, state, amount, currency
    from change left join observed on observed.kind = 'deposit' and observed.id = deposit_id
    where outcome = 'accepted' and deposit_id is not null
      and ((observed.id is null and ended_at <= ${shownUntil}) or (state in ${failed} and before_baseline = 0))
      and ended_at >= coalesce((select max(observed_at) from balance where purpose = 'opening'), '')
    order by deposit_id`);
  return rows.map(({ amount, currency, ...deposit }) => ({
    ...deposit,
    ...present({ amount: amount && currency ? amountOf(amount, currency) : undefined }),
  }));
}

/** By depositId, the values with which we created each deposit. Deposits created by others are left out. */
export function* listRequestedDeposits(
  depositIds: readonly DepositId[],
): Transaction<ReadonlyMap<string, RequestedDeposit>> {
  const created = yield* changesIn(sql`select * from change
    where outcome = 'accepted' and deposit_id in ${depositIds}`);
  return new Map(
    created.flatMap(({ depositId, requested }) => (depositId && requested ? [[depositId, requested]] : [])),
  );
}

/** The creation of a deposit with this callbackUrl. */
export function findByCorrelation(callbackUrl: string): Transaction<Change[]> {
  return changesIn(sql`select * from change where correlation = ${callbackUrl}`);
}

function* changesIn(statement: Statement): Transaction<Change[]> {
  const kept = yield* objects<
    Omit<Change, "nonce" | "requested"> & {
      readonly nonce: string;
      readonly custodyAccountId?: string;
      readonly amount?: string;
      readonly currency?: string;
    }
  >(statement);
  return kept.map(({ nonce, custodyAccountId: account, amount: value, currency, ...change }) => {
    const amount = value && currency ? amountOf(value, currency) : undefined;
    const requested = account && {
      custodyAccountId: custodyAccountId(account),
      reference: change.subject,
      ...present({ amount }),
    };
    return { ...change, ...(requested && { requested }), nonce: BigInt(nonce) };
  });
}
