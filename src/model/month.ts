/** Months of the calendar, by which books are closed. */
import { DAY_MS, type Day, type Instant, startOfDay } from "./instant.ts";

/** "2026-11" */
export type Month = string;

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

export function firstDayOf(month: Month): Day {
  return `${month}-01`;
}

export function lastDayOf(month: Month): Day {
  return dayBefore(firstDayOf(monthAfter(month)));
}

export function monthAfter(month: Month): Month {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return first.toISOString().slice(0, 7);
}

export function dayAfter(day: Day): Day {
  return daysLater(day, 1);
}

function dayBefore(day: Day): Day {
  return daysLater(day, -1);
}

/** `by`: negative for an earlier day. */
export function daysLater(day: Day, by: number): Day {
  const next = new Date(`${day}T00:00:00.000Z`);
  next.setUTCDate(next.getUTCDate() + by);
  return next.toISOString().slice(0, 10);
}

/** Negative for a day before `from`. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The first instant of the day after `day` in a time zone. */
export function dayEnd(timeZone: string, day: Day): Instant {
  return startOfDay(timeZone, dayAfter(day));
}
