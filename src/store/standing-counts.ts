/** How many payments stand where, since when and until when, without reading them: there may be very many. */
import type { Day, Instant, Standing } from "../model/index.ts";
import { present } from "../model/present.ts";
import { all, first, sql, type Transaction } from "./sql.ts";

/** Only standings that occur. */
export function* countByStanding(): Transaction<ReadonlyMap<Standing, number>> {
  const rows = yield* all<{ standing: Standing; count: number }>(
    sql`select standing, count(*) as count from instruction group by standing`,
  );
  return new Map(rows.map(({ standing, count }) => [standing, count]));
}

/** When the payment that has stood at each of these the longest came to stand there. */
export function* longestStandingSince(
  standings: readonly Standing[],
): Transaction<ReadonlyMap<Standing, Instant>> {
  const rows = yield* all<{ standing: Standing; since: Instant }>(
    sql`select standing, min(changed_at) as since from instruction
      where standing in (select value from json_each(${JSON.stringify(standings)})) group by standing`,
  );
  return new Map(rows.map(({ standing, since }) => [standing, since]));
}

/** What a run of the lane leaves alone. */
export interface WaitingPayments {
  /** Payments of batches that nobody, or not everybody needed, has approved. */
  readonly forApproval: number;
  /** Approved payments whose day has not come. */
  readonly forTheirDay: number;
  readonly firstDay?: Day;
}

export function* countWaiting(today: Day): Transaction<WaitingPayments> {
  const received = yield* first<{ count: number }>(
    sql`select count(*) as count from instruction where standing = ${"received" satisfies Standing}`,
  );
  const later = yield* first<{ count: number; first_day: string | null }>(sql`
    select count(*) as count, min(pay_on) as first_day from instruction
    where standing = ${"approved" satisfies Standing} and pay_on > ${today}`);
  return {
    forApproval: received?.count ?? 0,
    forTheirDay: later?.count ?? 0,
    ...present({ firstDay: later?.first_day }),
  };
}
