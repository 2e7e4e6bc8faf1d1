/** The day on which an instant is booked: the company's calendar day, or the first open day after a closed period. */
import { type Day, dayIn, type Instant } from "../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

type Calendar = Pick<LedgerPolicy, "timeZone" | "closedThrough">;

export function bookDays(instant: Instant, policy: Calendar): { bookDay: Day; documentDay: Day } {
  const documentDay = dayIn(policy.timeZone, instant);
  return { documentDay, bookDay: firstOpenDay(documentDay, policy) };
}

/** Returns `day` itself if its period is open. */
export function firstOpenDay(day: Day, { closedThrough }: Pick<Calendar, "closedThrough">): Day {
  return closedThrough === undefined || day > closedThrough ? day : dayAfter(closedThrough);
}

function dayAfter(day: Day): Day {
  const next = new Date(`${day}T00:00:00.000Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
