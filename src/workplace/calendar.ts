/** The calendar of a configuration: when new payments are sent. */
import type { Config } from "../config/index.ts";
import { type SendingCalendar, sendingCalendar } from "../model/index.ts";

/** Kept, because it remembers the hours of the days that it was asked about. */
const kept = new WeakMap<Config["calendar"], SendingCalendar>();

export function calendarOf({ calendar, ledger }: Pick<Config, "calendar" | "ledger">): SendingCalendar {
  const known = kept.get(calendar);
  if (known?.timeZone === ledger.timeZone) return known;
  const made = sendingCalendar(calendar, ledger.timeZone);
  kept.set(calendar, made);
  return made;
}
