/**
 * When a sender's files usually come, learnt from the days on which the last ones came: `files.senders.due: learnt`.
 * A rhythm is a rule under which each of the last files came on its due day or a few days before it. Pure.
 */
import { type DueRule, dueDays } from "./due-day.ts";
import type { Day } from "./instant.ts";
import { daysBetween, daysLater } from "./month.ts";
import { type SendingCalendar, WEEKDAYS, weekdayOf } from "./sending-calendar.ts";

/** As `due` of a sender, in place of a day. */
export const LEARNT = "learnt";

export interface Rhythm {
  /** Its day is the latest on which a file usually came. */
  readonly rule: DueRule;
  /** How many of the last files it was learnt from, and how many of them came on time. */
  readonly files: number;
  readonly onTime: number;
  /** The earliest file came so many days before its day. */
  readonly daysBefore: number;
  /** Whether a file came later because its day was a day off. */
  readonly isMoved: boolean;
}

/** Fewer than four files came, or they came without a rhythm. */
export type NoRhythm = "few files" | "irregular";

const FILES_MIN = 4;
const FILES_MAX = 12;

/** Files within so many days are one, which came in parts or was corrected. */
const PARTS_DAYS = 3;

/** A file that was late once, and one that did not come, do not end a rhythm. */
const EXCEPTIONS_MAX = 1;

/**
 * `days`: the days on which files of one layout came, in any order. Learns from as many of the last twelve as have a
 * rhythm, at least four. Of several rhythms that fit, chooses the one whose files came closest to its day.
 */
export function learntRhythm(days: readonly Day[], calendar: SendingCalendar): Rhythm | NoRhythm {
  const came = withoutParts(days).slice(-FILES_MAX);
  const [first, last] = [came[0], came.at(-1)];
  if (first === undefined || last === undefined || came.length < FILES_MIN) return "few files";
  const candidates = candidatesAt(last).map(({ rule, daysBefore }): Candidate => {
    const due = dueDays(rule, calendar, daysLater(first, -MARGIN_DAYS), daysLater(last, MARGIN_DAYS));
    return {
      rule,
      windows: due.map(({ named, day }) => ({ from: daysLater(named, -daysBefore), named, day })),
    };
  });
  for (let count = came.length; count >= FILES_MIN; count -= 1) {
    const fits = candidates.flatMap((candidate) => fitOf(candidate, came.slice(-count)) ?? []);
    const [best] = fits.toSorted(
      (one, other) => one.exceptions - other.exceptions || one.totalBefore - other.totalBefore,
    );
    if (best !== undefined) return best.rhythm;
  }
  return "irregular";
}

/** Around the files, so that the due days before the first and after the last one are among the candidates' days. */
const MARGIN_DAYS = 40;

interface Candidate {
  readonly rule: DueRule;
  /** In which days a file is on time for each due day. */
  readonly windows: readonly { readonly from: Day; readonly named: Day; readonly day: Day }[];
}

/** The first of rules that fit equally is chosen. `last`: any day; it dates the fortnights. */
function candidatesAt(last: Day): { readonly rule: DueRule; readonly daysBefore: number }[] {
  const monthDays = Array.from({ length: 31 }, (_, index) => ({
    rule: { monthDay: index + 1 },
    daysBefore: 4,
  }));
  const fortnights = Array.from({ length: 14 }, (_, index) => ({
    rule: { fortnightOf: daysLater(last, index) },
    daysBefore: 1,
  }));
  return [
    ...monthDays,
    { rule: { isLastWorkingDay: true }, daysBefore: 0 },
    ...WEEKDAYS.map((weekday) => ({ rule: { weekday }, daysBefore: 1 })),
    ...fortnights,
  ];
}

interface Fit {
  readonly rhythm: Rhythm;
  readonly exceptions: number;
  /** The sum of days by which files came before their day. */
  readonly totalBefore: number;
}

function fitOf({ rule, windows }: Candidate, came: readonly Day[]): Fit | undefined {
  const onTime = new Map<number, { readonly day: Day; readonly named: Day }>();
  for (const day of came) {
    const index = windows.findIndex((window) => window.from <= day && day <= window.day);
    const named = windows[index]?.named;
    if (named !== undefined && !onTime.has(index)) onTime.set(index, { day, named });
  }
  // An oldest file out of time is of an earlier rhythm.
  if (onTime.values().next().value?.day !== came[0]) return undefined;
  const due = [...onTime.keys()];
  const files = came.length;
  const others = files - onTime.size;
  const missed = Math.max(...due) - Math.min(...due) + 1 - onTime.size;
  if (onTime.size < FILES_MIN || others > EXCEPTIONS_MAX || missed > EXCEPTIONS_MAX) return undefined;
  const before = [...onTime.values()].map(({ day, named }) => daysBetween(day, named));
  const early = before.map((days) => Math.max(0, days));
  return {
    rhythm: {
      rule,
      files,
      onTime: onTime.size,
      daysBefore: Math.max(...early),
      isMoved: before.some((days) => days < 0),
    },
    exceptions: others + missed,
    totalBefore: early.reduce((sum, days) => sum + days, 0),
  };
}

/** Ascending; of files within a few days, the day of the first. */
function withoutParts(days: readonly Day[]): Day[] {
  const came: Day[] = [];
  for (const day of days.toSorted()) {
    const last = came.at(-1);
    if (last === undefined || daysBetween(last, day) > PARTS_DAYS) came.push(day);
  }
  return came;
}

/** "its last 5 files came between the 24th and the 26th of the month" */
export function rhythmText({ rule, files, onTime, daysBefore, isMoved }: Rhythm): string {
  const which = onTime === files ? `its last ${files} files` : `${onTime} of its last ${files} files`;
  const moved = isMoved ? ", or on the next working day" : "";
  return `${which} came ${daysText(rule, daysBefore)}${moved}`;
}

function daysText(rule: DueRule, daysBefore: number): string {
  if ("isLastWorkingDay" in rule) return "on the last working day of the month";
  if ("monthDay" in rule) {
    const { monthDay } = rule;
    const day = monthDay === 31 ? "last day" : ordinal(monthDay);
    if (daysBefore === 0) return `on the ${day} of the month`;
    if (daysBefore < monthDay)
      return `between the ${ordinal(monthDay - daysBefore)} and the ${day} of the month`;
    return `on the ${day} of the month or up to ${daysBefore} days before`;
  }
  const day = "weekday" in rule ? `on ${rule.weekday}` : `on every second ${weekdayOf(rule.fortnightOf)}`;
  return daysBefore === 0 ? day : `${day} or the day before`;
}

function ordinal(day: number): string {
  const ending = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}
