/**
 * How many questions each sender's files raised in recent months, because people who are asked too often stop
 * reading.
 */
import { dayIn, type Instant } from "../model/index.ts";
import { type AskedOfSender, listAsked } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";

const MONTHS = 3;

/** "2026-11", in the company's time zone. */
export function monthIn(timeZone: string, at: Instant): string {
  return dayIn(timeZone, at).slice(0, "2026-11".length);
}

/** The months that are counted, newest first. */
export function monthsAsked(timeZone: string, now: Instant): readonly string[] {
  const newest = new Date(`${monthIn(timeZone, now)}-01`);
  return Array.from({ length: MONTHS }, (_, back) => {
    const month = new Date(newest);
    month.setUTCMonth(month.getUTCMonth() - back);
    return month.toISOString().slice(0, "2026-11".length);
  });
}

/** By sender and month, of the last three months. */
export function questionsAsked(timeZone: string, now: Instant): Transaction<AskedOfSender[]> {
  return listAsked(monthsAsked(timeZone, now).at(-1) ?? "");
}
