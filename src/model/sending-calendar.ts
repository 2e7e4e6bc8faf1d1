/**
 * When new payments are sent: on working days, within the send hours, and in runs that begin before the cut-off.
 * Pure: instants come in as values. A local time that the clock skips counts as the end of the gap; one that it
 * shows twice, as the first.
 */
import { type Day, dayIn, type Instant, localMinuteText, startOfDay, timeOnDay } from "./instant.ts";
import { dayAfter, dayEnd } from "./month.ts";

/** `calendar` of the configuration, in one time zone. */
export interface CalendarSettings {
  /** "Saturday", "2026-12-25", or "12-25" for every year. */
  readonly daysOff: readonly string[];
  /** "16:00": from this time no run begins. */
  readonly cutOff?: string | undefined;
  readonly sendHours?: { readonly from: string; readonly to: string } | undefined;
}

export const WEEKDAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Why nothing new is sent, and when sending resumes. */
export interface Rest {
  readonly why: "day off" | "before the send hours" | "after the send hours" | "after the cut-off";
  readonly until: Instant;
}

export interface SendingCalendar {
  readonly timeZone: string;
  isDayOff(day: Day): boolean;
  /** The day itself, or the next working day after it. */
  workingDayFrom(day: Day): Day;
  /**
   * Why nothing new is sent at `at`; undefined while sending is allowed. The cut-off concerns only the beginning of
   * runs (`begin`).
   */
  restAt(at: Instant, asks: "send" | "begin"): Rest | undefined;
  /**
   * The earliest instant, from `at` on, at which a payment due on `payOn` can leave; without a day, any payment.
   */
  goesAt(payOn: Day | undefined, at: Instant): Instant;
}

interface Hours {
  readonly opens: Instant;
  /** From this instant no run begins. */
  readonly lastStart: Instant;
  readonly closes: Instant;
}

export function sendingCalendar(settings: CalendarSettings, timeZone: string): SendingCalendar {
  const { daysOff, cutOff, sendHours } = settings;
  const off = new Set(daysOff);
  const isAlwaysOpen = off.size === 0 && cutOff === undefined && sendHours === undefined;
  const known = new Map<Day, Hours>();
  return { timeZone, isDayOff, workingDayFrom, restAt, goesAt };

  function isDayOff(day: Day): boolean {
    if (off.size === 0) return false;
    return off.has(day) || off.has(day.slice("2026-".length)) || off.has(weekdayOf(day));
  }

  function workingDayFrom(day: Day): Day {
    let working = day;
    while (isDayOff(working)) working = dayAfter(working);
    return working;
  }

  function restAt(at: Instant, asks: "send" | "begin"): Rest | undefined {
    if (isAlwaysOpen) return undefined;
    const why = whyResting(at, asks);
    return why && { why, until: opensFrom(dayIn(timeZone, at), at) };
  }

  function whyResting(at: Instant, asks: "send" | "begin"): Rest["why"] | undefined {
    const day = dayIn(timeZone, at);
    if (isDayOff(day)) return "day off";
    const { opens, lastStart, closes } = hoursOf(day);
    if (at < opens) return "before the send hours";
    if (at >= closes) return "after the send hours";
    return asks === "begin" && at >= lastStart ? "after the cut-off" : undefined;
  }

  function goesAt(payOn: Day | undefined, at: Instant): Instant {
    const today = dayIn(timeZone, at);
    return opensFrom(payOn === undefined || payOn < today ? today : payOn, at);
  }

  /** The first instant from `at` on, not before `day`, at which a run may begin. */
  function opensFrom(day: Day, at: Instant): Instant {
    for (let working = workingDayFrom(day); ; working = workingDayFrom(dayAfter(working))) {
      const { opens, lastStart } = hoursOf(working);
      const first = at > opens ? at : opens;
      if (first < lastStart) return first;
    }
  }

  /** The hours may be empty on a day on which the clock skips all of them. */
  function hoursOf(day: Day): Hours {
    const before = known.get(day);
    if (before !== undefined) return before;
    const next = dayEnd(timeZone, day);
    const at = (time: string) => (time === END_OF_DAY ? next : timeOnDay(timeZone, day, time));
    const closes = at(sendHours?.to ?? END_OF_DAY);
    const lastStart = cutOff === undefined ? closes : at(cutOff);
    const opens = sendHours === undefined ? startOfDay(timeZone, day) : at(sendHours.from);
    const hours = { opens, closes, lastStart: lastStart < closes ? lastStart : closes };
    if (known.size >= DAYS_KNOWN) known.clear();
    known.set(day, hours);
    return hours;
  }
}

export const END_OF_DAY = "24:00";

/** A page may show payments of many days, and computing the hours of one takes a tenth of a millisecond or more. */
const DAYS_KNOWN = 400;

/** "Monday" */
export function weekdayOf(day: Day): Weekday {
  return WEEKDAYS[new Date(`${day}T00:00:00.000Z`).getUTCDay()] as Weekday;
}

/** "2026-12-26 is a day off; sending goes on at 2026-12-28 08:00 (Europe/Madrid)" */
export function restText({ why, until }: Rest, timeZone: string): string {
  const reason = why === "day off" ? "today is a day off" : `it is ${why}`;
  return `${reason}; sending goes on at ${localMinuteText(timeZone, until)}`;
}
