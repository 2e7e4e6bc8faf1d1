/** Counts payments by standing, and since when they wait, without reading them: there may be very many. */
import type { BatchId, Day, Instant, Standing } from "../model/index.ts";
import { present } from "../model/present.ts";
import { type Amount, amountOf } from "../money/index.ts";
import { countRefused, type InstructionRow } from "./instructions.ts";
import { all, countOf, first, objects, sql, type Transaction } from "./sql.ts";

/** The number of payments per standing; standings that do not occur are left out. */
export function* countByStanding(): Transaction<ReadonlyMap<Standing, number>> {
  const rows = yield* all<{ standing: Standing; count: number }>(
    sql`select standing, count(*) as count from instruction group by standing`,
  );
  return new Map(rows.map(({ standing, count }) => [standing, count]));
}

export interface StandingTimes {
  /** Since when its longest-waiting payment has been there, and since when its newest. */
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
export interface ApprovedPayments {
  readonly batchId: BatchId;
  /** Absent where the file names no day. */
  readonly payOn?: Day;
  readonly count: number;
  /** Of these, how many a run held back until they are approved again. */
  readonly heldBack: number;
}

export function countApproved(): Transaction<ApprovedPayments[]> {
  return objects<ApprovedPayments>(sql`select batch_id, json_extract(fields, '$.payOn') as pay_on, count(*) as count,
      count(reason) as held_back from instruction
    where standing = ${"approved" satisfies Standing} group by 1, 2`);
}

export interface StandingAmount {
  readonly standing: Standing;
  readonly amount: Amount;
  /** Of an approved one: a run held it back. */
  readonly isHeldBack: boolean;
  readonly payOn?: Day;
}

/** Standing and amount of every instruction of a batch. The caller sums them exactly; SQL never does. */
export function* listStandingAmounts(batch: BatchId): Transaction<StandingAmount[]> {
  const rows = yield* all<
    Pick<InstructionRow, "standing" | "reason"> & Record<"currency" | "amount" | "pay_on", string>
  >(
    sql`select standing, currency, amount, json_extract(fields, '$.payOn') as pay_on, reason from instruction where batch_id = ${batch}`,
  );
  return rows.map((row) => ({
    standing: row.standing,
    amount: amountOf(row.amount, row.currency),
    isHeldBack: row.standing === "approved" && row.reason !== null,
    ...present({ payOn: row.pay_on }),
  }));
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
    sql`select count(*) as count from instruction where standing = ${"received" satisfies Standing}`,
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
