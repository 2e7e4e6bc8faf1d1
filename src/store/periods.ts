/** The months that controllers closed and reopened. Nothing is deleted. */
import type { Instant, Month } from "../model/index.ts";
import { objects, run, single, sql, type Transaction } from "./sql.ts";

interface ClosedPeriod {
  readonly month: Month;
  readonly closedAt: Instant;
  readonly closedBy: string;
  /** JSON: the checklist, as signed. */
  readonly points: string;
  readonly reopenedAt?: Instant;
  readonly reopenedBy?: string;
  readonly reopenReason?: string;
}

/** All closings, newest first; a month that was reopened and closed again has two. */
export function listClosedPeriods(): Transaction<ClosedPeriod[]> {
  return objects<ClosedPeriod>(sql`select month, closed_at, closed_by, points, reopened_at, reopened_by, reopen_reason
    from closed_period order by seq desc`);
}

/** The last closed month; undefined if there is none. */
export function lastClosedMonth(): Transaction<Month | undefined> {
  return single(sql`select max(month) as month from closed_period where reopened_at is null`);
}

export function* insertClosedPeriod({
  month,
  closedAt,
  closedBy,
  points,
}: Pick<ClosedPeriod, "month" | "closedAt" | "closedBy" | "points">): Transaction<void> {
  yield* run(sql`insert into closed_period (month, closed_at, closed_by, points)
    values (${month}, ${closedAt}, ${closedBy}, ${points})`);
}

/** Reopens a month and all later ones. */
export function* reopenPeriods(
  month: Month,
  { at, person, reason }: { readonly at: Instant; readonly person: string; readonly reason: string },
): Transaction<void> {
  yield* run(sql`update closed_period set reopened_at = ${at}, reopened_by = ${person}, reopen_reason = ${reason}
    where reopened_at is null and month >= ${month}`);
}
