/**
 * Counts and sums payments by standing, and how long they have waited, from indexes: there may be very many
 * payments.
 */
import {
  type Batch,
  type BatchId,
  type ControlTotal,
  type Day,
  type Instant,
  lessControlTotals,
  type PayoutEnd,
  type ShownStanding,
  type Standing,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { Decimal } from "../money/index.ts";
import { countStandingsOf } from "./batch-rows.ts";
import { countRefused, standsAt } from "./instructions.ts";
import { all, countOf, first, mapOf, objects, type Statement, sql, type Transaction } from "./sql.ts";

/** The number of payments in each of these standings. Slow for accepted payments. */
export function* countByStanding(standings: readonly Standing[]): Transaction<ReadonlyMap<Standing, number>> {
  const counts = yield* mapOf<Standing, number>(
    sql`select standing, count(*) as count from instruction where standing in ${standings} group by standing`,
  );
  return new Map(standings.map((standing) => [standing, counts.get(standing) ?? 0]));
}

interface StandingTimes {
  /** When its longest-waiting payment entered the standing. */
  readonly longestSince: Instant;
  readonly newestAt: Instant;
}

export function* timesByStanding(
  standings: readonly Standing[],
): Transaction<ReadonlyMap<Standing, StandingTimes>> {
  const rows = yield* objects<StandingTimes & { readonly standing: Standing }>(
    sql`select standing, min(changed_at) as longest_since, max(changed_at) as newest_at from instruction
      where standing in ${standings} group by standing`,
  );
  return new Map(rows.map(({ standing, ...times }) => [standing, times]));
}

/** Approved payments of one batch, due on one day. */
interface ApprovedPayments {
  readonly batchId: BatchId;
  /** Absent if the file gives no day. */
  readonly payOn?: Day;
  readonly count: number;
  /** How many of these a run held back; they wait for another approval. */
  readonly heldBack: number;
}

export function countApproved(): Transaction<ApprovedPayments[]> {
  return objects<ApprovedPayments>(sql`select batch_id, json_extract(fields, '$.payOn') as pay_on, count(*) as count,
      count(reason) as held_back from instruction
    where standing = ${"approved" satisfies Standing} group by 1, 2`);
}

/** The payments of a batch with one standing and currency, and one day or end of their payouts. */
export interface StandingSum {
  readonly standing: Standing;
  readonly total: ControlTotal;
  readonly payOn?: Day;
  /** For accepted payments, instead of their days: how their payouts ended. */
  readonly end?: PayoutEnd;
  /** For approved payments: whether a run held them back. */
  readonly isHeldBack: boolean;
}

export function* listStandingSums({
  id,
  controlTotals,
}: Pick<Batch, "id" | "controlTotals">): Transaction<StandingSum[]> {
  const heldBack = yield* sumsIn(sumsHeldBack(id), true);
  const keyOf = ({ standing, payOn, total }: StandingSum) => `${standing} ${total.currency} ${payOn ?? ""}`;
  const without = new Map(heldBack.map((sum) => [keyOf(sum), [sum.total]]));
  const others: StandingSum[] = [];
  const counts = yield* countStandingsOf(id);
  for (const standing of counts.keys())
    for (const { currency } of controlTotals)
      for (const sum of yield* sumsIn(sumsOf(id, standing, currency), false))
        others.push(standing === "arrived" || standing === "failed" ? { ...sum, end: standing } : sum);
  const withoutHeld = others.flatMap((sum) =>
    lessControlTotals([sum.total], without.get(keyOf(sum)) ?? []).map((total) => ({ ...sum, total })),
  );
  return [...heldBack, ...withoutHeld];
}

function* sumsIn(statement: Statement, isHeldBack: boolean): Transaction<StandingSum[]> {
  const rows = yield* all<SumRow>(statement);
  return rows.map(({ standing, currency, pay_on, count, whole, billionths, rest }) => {
    const units = (BigInt(whole) * BILLION + BigInt(billionths)) * BILLION + BigInt(rest);
    const total = { currency, count, amount: Decimal.of(`${units}e-18`).normalized() };
    return { standing, total, isHeldBack, ...present({ payOn: pay_on }) };
  });
}

type SumRow = Readonly<
  Record<"currency" | "whole" | "billionths" | "rest", string> & {
    standing: Standing;
    pay_on: string | null;
    count: number;
  }
>;

const BILLION = 1_000_000_000n;

/** Exact sums, as integers that raise an error on overflow: the part before the point, and nine decimals twice. */
const SUMS = sql`min(standing) as standing, min(currency) as currency, count(*) as count,
    cast(sum(cast(substr(amount, 1, instr(amount || '.', '.') - 1) as bigint)) as text) as whole,
    cast(sum(cast(substr(amount || '000000000', instr(amount || '.', '.') + 1, 9) as bigint)) as text) as billionths,
    cast(sum(cast(substr(amount || '000000000000000000', instr(amount || '.', '.') + 10, 9) as bigint)) as text) as rest
  from instruction`;

/**
 * Grouped by one column at most, because the database sorts the payments: four columns take three times as long. The
 * days of payments that were sent are not asked for.
 */
function sumsOf(batch: BatchId, standing: ShownStanding, currency: string): Statement {
  const isSent = standing === "accepted" || standing === "arrived" || standing === "failed";
  const [day, by] = isSent ? [sql`null as pay_on`, sql`standing`] : [sql`pay_on`, sql`pay_on`];
  return sql`select ${day}, ${SUMS}
    where ${standsAt(standing)} and batch_id = ${batch} and currency = ${currency} group by ${by}`;
}

/** Selects ids in a subquery, so that SQLite uses the index of held-back payments. */
function sumsHeldBack(batch: BatchId): Statement {
  return sql`select pay_on, ${SUMS} where id in
    (select id from instruction where standing = 'approved' and reason is not null and batch_id = ${batch})
    group by instruction.standing, instruction.currency, pay_on`;
}

/** Payments that a run does not send. */
export interface WaitingPayments {
  /** Refused by the service, and not paid again under another reference. */
  readonly refused: number;
  /** Payments of batches that still need an approval. */
  readonly forApproval: number;
  /** Approved payments with a later payment date. */
  readonly forTheirDay: number;
  readonly firstDay?: Day;
}

export function* countWaiting(today: Day): Transaction<WaitingPayments> {
  const forApproval = yield* countOf(
    sql`select count(*) from instruction where standing = ${"received" satisfies Standing}`,
  );
  const later = yield* first<{ count: number; first_day: string | null }>(sql`
    select count(*) as count, min(json_extract(fields, '$.payOn')) as first_day from instruction
    where standing = ${"approved" satisfies Standing} and json_extract(fields, '$.payOn') > ${today}`);
  return {
    refused: yield* countRefused(),
    forApproval,
    forTheirDay: later?.count ?? 0,
    ...present({ firstDay: later?.first_day }),
  };
}
