/** Days in forms. */
import { dayIn } from "../model/index.ts";

/** A day of the calendar, as a browser sends it; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dayIn("UTC", new Date(ms).toISOString()) === text ? text : undefined;
}
