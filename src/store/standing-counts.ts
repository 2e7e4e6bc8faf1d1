/** Counts payments by standing, and since when they wait, without reading them: there may be very many. */
import type { Day, Instant, Standing } from "../model/index.ts";
import { present } from "../model/present.ts";
import { all, countOf, first, sql, type Transaction } from "./sql.ts";

/** The number of payments per standing; standings that do not occur are left out. */
export function* countByStanding(): Transaction<ReadonlyMap<Standing, number>> {
  const rows = yield* all<{ standing: Standing; count: number }>(
    sql`select standing, count(*) as count from instruction group by standing`,
  );
  return new Map(rows.map(({ standing, count }) => [standing, count]));
}

/** Per standing, since when its longest-waiting payment has been there. */
export function* longestStandingSince(
  standings: readonly Standing[],
): Transaction<ReadonlyMap<Standing, Instant>> {
  const rows = yield* all<{ standing: Standing; since: Instant }>(
    sql`select standing, min(changed_at) as since from instruction
      where standing in ${standings} group by standing`,
  );
  return new Map(rows.map(({ standing, since }) => [standing, since]));
}

/** Payments that a run does not send yet. */
export interface WaitingPayments {
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
    select count(*) as count, min(pay_on) as first_day from instruction
    where standing = ${"approved" satisfies Standing} and pay_on > ${today}`);
  return {
    forApproval,
    forTheirDay: later?.count ?? 0,
    ...present({ firstDay: later?.first_day }),
  };
}
