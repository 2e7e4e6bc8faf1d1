/** Days and times: in forms, and as the desk shows them. */
import { type Day, dayIn, type Month } from "../model/index.ts";

/** A day of the calendar, as a browser sends it; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dayIn("UTC", new Date(ms).toISOString()) === text ? text : undefined;
}

/** "2 Dec", or "2 Dec 2026". */
export function shortDay(day: Day, withYear: boolean): string {
  const year = withYear ? "numeric" : undefined;
  return timeInWords("UTC", `${day}T00:00:00Z`, { day: "numeric", month: "short", year });
}

/** "November 2026" */
export function monthWords(month: Month): string {
  return timeInWords("UTC", `${month}-01T00:00:00Z`, { month: "long", year: "numeric" });
}

export function timeInWords(timeZone: string, at: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, ...parts }).format(new Date(at));
}
