/**
 * Payments made again on purpose: each earlier payment is paid again at most once, under a new reference. A payment
 * abandoned in doubt is submitted again instead, as a separate payment.
 */
import {
  type Instant,
  type Instruction,
  type InstructionId,
  type Standing,
  UNPAID_PAYOUT_STATES,
} from "../model/index.ts";
import { type InstructionRow, instructionFrom, instructionsIn } from "./instructions.ts";
import { markResultDue } from "./results-due.ts";
import { all, first, mapOf, objects, run, sql, type Transaction } from "./sql.ts";

interface PayAgain {
  readonly earlierId: InstructionId;
  readonly reference: string;
  readonly reason: string;
  readonly person: string;
  readonly at: Instant;
}

export function* insertPayAgain({ earlierId, reference, reason, person, at }: PayAgain): Transaction<void> {
  yield* run(sql`insert into again (earlier_id, reference, reason, person, at)
    values (${earlierId}, ${reference}, ${reason}, ${person}, ${at})`);
}

export interface PaidAgain {
  readonly reference: string;
  /** Absent if a person ordered it but it was not submitted, because the process died or the disk was full. */
  readonly standing?: Standing;
}

export function* findPayAgain(earlierId: InstructionId): Transaction<PaidAgain | undefined> {
  return (yield* objects<PaidAgain>(sql`select again.reference, standing from again
    left join instruction on instruction.reference = again.reference where earlier_id = ${earlierId}`))[0];
}

/** By earlier payment, the reference under which it is paid again. Leaves out orders that were not submitted. */
export function againReferencesOf(
  earlierIds: readonly InstructionId[],
): Transaction<ReadonlyMap<InstructionId, string>> {
  return mapOf(sql`select earlier_id as id, again.reference from again
      join instruction on instruction.reference = again.reference where earlier_id in ${earlierIds}`);
}

/** By reference, all earlier payments that this payment pays again, directly or through others in between. */
export function* listEarlier(
  references: readonly string[],
): Transaction<ReadonlyMap<string, readonly Instruction[]>> {
  const rows = yield* all<InstructionRow & { readonly later: string }>(sql`
    with recursive earlier (later, id) as (
      select reference, earlier_id from again where reference in ${references}
      union all select earlier.later, again.earlier_id from earlier
        join instruction on instruction.id = earlier.id join again on again.reference = instruction.reference)
    select instruction.*, earlier.later from earlier join instruction on instruction.id = earlier.id`);
  const byLater = Map.groupBy(rows, ({ later }) => later);
  return new Map([...byLater].map(([later, earlier]) => [later, earlier.map(instructionFrom)]));
}

/**
 * By earlier payment, the references of the payments that pay it again and have left or may have, nearest first.
 */
export function* listPaidAgain(): Transaction<ReadonlyMap<InstructionId, readonly string[]>> {
  const rows = yield* all<Named & { readonly standing: Standing }>(sql`
    with recursive later (id, reference) as (
      select earlier_id, reference from again
      union all select later.id, again.reference from later
        join instruction on instruction.reference = later.reference join again on again.earlier_id = instruction.id)
    select later.id, later.reference, standing from later
      join instruction on instruction.reference = later.reference`);
  // Filtered in code: with the standing in the query, SQLite would begin with all accepted payments.
  return referencesById(rows.filter(({ standing }) => MAY_HAVE_LEFT.has(standing)));
}

/**
 * By payment that may not have been paid, the references of later payments of the same amount to the same
 * destination that have left or may have, oldest first. The earlier payment was abandoned, its payout is failed or
 * unknown, or a comparison reported it as failed, unknown or missing. For an abandoned payment all later ones
 * count. For the others, only those submitted between the first look that showed the state (result files report it
 * at once) and the end of the report: otherwise a monthly payment would count as a replacement. Uses cross joins,
 * because SQLite would otherwise start from all accepted payments.
 */
export function* listSubmittedSince(): Transaction<ReadonlyMap<InstructionId, readonly string[]>> {
  const rows = yield* all<Named>(sql`
    with reported (payout_id, state, opened_at, closed_at) as (
      select payout_id, found, opened_at, closed_at
        from break_opening where kind in ('failed', 'unknown-state', 'missing')
      union all select id, state, state_seen_at, null from observed
        where kind = 'payout' and state in ${UNPAID_PAYOUT_STATES}),
    replaceable (id, since_at, until_at) as (
      select id, '', null from instruction where standing = 'abandoned'
      union select instruction.id, coalesce((select min(seen_at) from history
          where history.kind = 'payout' and history.id = reported.payout_id
            and json_extract(raw, '$.payoutState') = reported.state), opened_at), closed_at
        from reported cross join instruction where instruction.payout_id = reported.payout_id and standing = 'accepted')
    select earlier.id, later.reference from replaceable cross join instruction as earlier
      cross join instruction as later cross join batch
    where earlier.id = replaceable.id and later.destination = earlier.destination and later.amount = earlier.amount
      and later.currency = earlier.currency and later.batch_id > earlier.batch_id and batch.id = later.batch_id
      and later.standing in ('accepted', 'sending', 'in doubt') and batch.submitted_at > since_at
        and (until_at is null or batch.submitted_at < until_at)
    order by earlier.batch_id, earlier.row, later.batch_id, later.row`);
  return referencesById(rows);
}

const MAY_HAVE_LEFT: ReadonlySet<Standing> = new Set<Standing>(["accepted", "sending", "in doubt"]);

interface SubmittedSince {
  readonly reference: string;
  readonly standing: Standing;
}

/**
 * The first later payment of the same amount to the same destination, unless refused or withdrawn. One that awaits
 * approval counts: its approver may just have been shown that it repeats no other.
 */
export function findSubmittedSince(id: InstructionId): Transaction<SubmittedSince | undefined> {
  return first<SubmittedSince>(sql`
    select later.reference, later.standing from instruction as earlier join instruction as later
      on later.destination = earlier.destination and later.amount = earlier.amount
        and later.currency = earlier.currency and later.batch_id > earlier.batch_id
    where earlier.id = ${id} and later.standing not in ('refused', 'withdrawn')
    order by later.batch_id, later.row limit 1`);
}

/** The payment that the payment with this reference pays again, if any. */
export function* findEarlier(reference: string): Transaction<Instruction | undefined> {
  return (yield* instructionsIn(sql`select instruction.* from again
    join instruction on instruction.id = earlier_id where again.reference = ${reference}`))[0];
}

/** Returns whether it was still there: another caller may have removed or replaced it. */
export function* removePayAgain(earlierId: InstructionId, reference: string): Transaction<boolean> {
  const removed = yield* run(
    sql`delete from again where earlier_id = ${earlierId} and reference = ${reference}`,
  );
  yield* markResultDue(earlierId);
  return removed > 0;
}

interface Named {
  readonly id: InstructionId;
  readonly reference: string;
}

function referencesById(rows: readonly Named[]): ReadonlyMap<InstructionId, readonly string[]> {
  const byId = Map.groupBy(rows, ({ id }) => id);
  return new Map([...byId].map(([id, named]) => [id, [...new Set(named.map(({ reference }) => reference))]]));
}
