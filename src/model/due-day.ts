/** When a sender's file is due: on a day of each month, on its last working day, or on a day of each week. Pure. */
import { type Day, type Instant, shifted } from "./instant.ts";
import { dayAfter, dayEnd, daysLater, monthOf } from "./month.ts";
import { type SendingCalendar, WEEKDAYS, type Weekday, weekdayOf } from "./sending-calendar.ts";

/** `monthDay`: in a shorter month, the last day instead. */
export type DueRule =
  | { readonly monthDay: number }
  | { readonly weekday: Weekday }
  | { readonly isLastWorkingDay: true };

/** Reads "25th", "last working day" or "Friday"; undefined for anything else. */
export function readDueRule(text: string): DueRule | undefined {
  if (text === "last working day") return { isLastWorkingDay: true };
  const weekday = WEEKDAYS.find((name) => name === text);
  if (weekday !== undefined) return { weekday };
  const [, digits = ""] = /^([1-9]|[12]\d|3[01])(?:st|nd|rd|th)$/.exec(text) ?? [];
  const monthDay = Number.parseInt(digits, 10);
  return Number.isNaN(monthDay) ? undefined : { monthDay };
}

/** The latest due day that has passed. */
export interface PassedDue {
  readonly day: Day;
  /** The end of the due day plus its hours of grace. */
  readonly overSince: Instant;
  /** A file counts for the nearest due day: for this one between these two instants. */
  readonly from: Instant;
  readonly until: Instant;
}

/** If a due day is a day off, the next working day is due instead. */
export function passedDue(
  rule: DueRule,
  calendar: SendingCalendar,
  graceHours: number,
  at: Instant,
): PassedDue | undefined {
  const ends = dueDaysAround(rule, calendar, at).map((day) => {
    return { day, over: shifted(dayEnd(calendar.timeZone, day), graceHours * HOUR_MS) };
  });
  const index = ends.findLastIndex(({ over }) => over <= at);
  const [before, last, next] = [ends[index - 1], ends[index], ends[index + 1]];
  if (before === undefined || last === undefined || next === undefined) return undefined;
  const [from, until] = [middle(before.over, last.over), middle(last.over, next.over)];
  return { day: last.day, overSince: last.over, from, until };
}

const HOUR_MS = 3_600_000;

/** Within two months to either side, every rule has at least two due days. */
const DAYS_AROUND = 70;

function dueDaysAround(rule: DueRule, calendar: SendingCalendar, at: Instant): Day[] {
  const days = Array.from({ length: 2 * DAYS_AROUND }, (_, index) =>
    daysLater(at.slice(0, 10), index - DAYS_AROUND),
  );
  const named = days.filter((day) => isNamed(rule, calendar, day));
  return [...new Set(named.map((day) => calendar.workingDayFrom(day)))];
}

function isNamed(rule: DueRule, calendar: SendingCalendar, day: Day): boolean {
  if ("weekday" in rule) return weekdayOf(day) === rule.weekday;
  const isLast = monthOf(dayAfter(day)) !== monthOf(day);
  if ("monthDay" in rule) {
    const date = Number.parseInt(day.slice(8), 10);
    return date === rule.monthDay || (isLast && date < rule.monthDay);
  }
  const next = calendar.workingDayFrom(dayAfter(day));
  return !calendar.isDayOff(day) && monthOf(next) !== monthOf(day);
}

function middle(one: Instant, other: Instant): Instant {
  return new Date((Date.parse(one) + Date.parse(other)) / 2).toISOString();
}
