/** What a run of the lane leaves alone: counted, because there may be very much of it. */
import type { Day, Standing } from "../model/index.ts";
import { present } from "../model/present.ts";
import { first, sql, type Transaction } from "./sql.ts";

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
