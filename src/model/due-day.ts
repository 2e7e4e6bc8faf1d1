/**
 * When a sender's file is due: on a day of each month, on its last working day, on a day of each week, or every two
 * weeks. Pure.
 */
import { type Day, HOUR_MS, type Instant, shifted } from "./instant.ts";
import {
  dayEnd,
  daysBetween,
  daysLater,
  firstDayOf,
  lastDayOf,
  type Month,
  monthAfter,
  monthOf,
} from "./month.ts";
import { type SendingCalendar, WEEKDAYS, type Weekday, weekdayOf } from "./sending-calendar.ts";

/**
 * `monthDay`: in a shorter month, the last day instead. `fortnightOf`: every two weeks, counted from this day; only
 * learnt, never configured.
 */
export type DueRule =
  | { readonly monthDay: number }
  | { readonly weekday: Weekday }
  | { readonly fortnightOf: Day }
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
interface PassedDue {
  readonly day: Day;
  /** The end of the due day plus its hours of grace. */
  readonly overSince: Instant;
  /** A file counts for the nearest due day: for this one between these two instants. */
  readonly from: Instant;
  readonly until: Instant;
}

/** The latest due day that has passed the end of its hours of grace. */
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

/** Within two months to either side, every rule has at least two due days. */
const DAYS_AROUND = 70;

function dueDaysAround(rule: DueRule, calendar: SendingCalendar, at: Instant): Day[] {
  const today = at.slice(0, 10);
  const due = dueDays(rule, calendar, daysLater(today, -DAYS_AROUND), daysLater(today, DAYS_AROUND));
  return due.map(({ day }) => day);
}

interface DueDay {
  /** The day by the rule, which may be a day off. */
  readonly named: Day;
  /** The day by whose end the file is due: if `named` is a day off, the next working day. */
  readonly day: Day;
}

/** The due days between two days, ascending; by the month also the others of the first and the last month. */
export function dueDays(rule: DueRule, calendar: SendingCalendar, first: Day, last: Day): DueDay[] {
  const due = new Map<Day, DueDay>();
  for (const named of namedDays(rule, calendar, first, last)) {
    const day = calendar.workingDayFrom(named);
    if (!due.has(day)) due.set(day, { named, day });
  }
  return [...due.values()];
}

function namedDays(rule: DueRule, calendar: SendingCalendar, first: Day, last: Day): Day[] {
  if ("weekday" in rule) {
    const from = WEEKDAYS.indexOf(rule.weekday) - WEEKDAYS.indexOf(weekdayOf(first));
    return everyFrom(daysLater(first, (from + WEEK) % WEEK), last, WEEK);
  }
  if ("fortnightOf" in rule) {
    const ahead = daysBetween(rule.fortnightOf, first) % FORTNIGHT;
    return everyFrom(daysLater(first, (FORTNIGHT - ahead) % FORTNIGHT), last, FORTNIGHT);
  }
  const months: Month[] = [];
  for (let month = monthOf(first); month <= monthOf(last); month = monthAfter(month)) months.push(month);
  return months.flatMap((month) =>
    "monthDay" in rule ? dayOfMonth(month, rule.monthDay) : (lastWorkingDay(month, calendar) ?? []),
  );
}

const WEEK = 7;
const FORTNIGHT = 14;

function everyFrom(first: Day, last: Day, step: number): Day[] {
  const days: Day[] = [];
  for (let day = first; day <= last; day = daysLater(day, step)) days.push(day);
  return days;
}

function dayOfMonth(month: Month, day: number): Day {
  const last = lastDayOf(month);
  const named = `${month}-${String(day).padStart(2, "0")}`;
  return named < last ? named : last;
}

/** Undefined if the whole month is off. */
function lastWorkingDay(month: Month, calendar: SendingCalendar): Day | undefined {
  let day = lastDayOf(month);
  while (calendar.isDayOff(day) && day >= firstDayOf(month)) day = daysLater(day, -1);
  return monthOf(day) === month ? day : undefined;
}

function middle(one: Instant, other: Instant): Instant {
  return new Date((Date.parse(one) + Date.parse(other)) / 2).toISOString();
}
