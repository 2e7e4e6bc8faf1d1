/** The calendar of a configuration: when new payments are sent. */
import type { Config } from "../config/index.ts";
import { type SendingCalendar, sendingCalendar } from "../model/index.ts";

/** Cached, because the calendar remembers the hours of days that it has computed. */
const kept = new WeakMap<Config["calendar"], SendingCalendar>();

export function calendarOf({ calendar, ledger }: Pick<Config, "calendar" | "ledger">): SendingCalendar {
  const known = kept.get(calendar);
  if (known?.timeZone === ledger.timeZone) return known;
  const made = sendingCalendar(calendar, ledger.timeZone);
  kept.set(calendar, made);
  return made;
}
