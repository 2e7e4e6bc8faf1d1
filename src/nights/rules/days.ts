/** Days in words. */
import type { Day } from "../../model/index.ts";

/** "2 December 2026" */
export function dayWords(day: Day): string {
  return DAY_WORDS.format(new Date(`${day}T00:00:00Z`));
}

const DAY_WORDS = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "long",
  year: "numeric",
});
