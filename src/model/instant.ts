/** Instants are UTC ISO-8601 text with milliseconds, days are `yyyy-mm-dd`: both sort as text. */

/** "2026-11-20T09:30:00.000Z" */
export type Instant = string;

/** "2026-11-20" */
export type Day = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** "2026-11-30 09:05 UTC": for people; machines get the instant itself. */
export function minuteText(instant: Instant): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** The calendar day of an instant in a time zone (IANA name, such as Europe/Madrid). */
export function dayIn(timeZone: string, instant: Instant): Day {
  return dayFormat(timeZone).format(new Date(instant));
}

/**
 * The first instant of a calendar day in a time zone: midnight, or the end of the hour that the zone skips there.
 */
export function startOfDay(timeZone: string, day: Day): Instant {
  return firstInstant(Date.parse(`${day}T00:00:00.000Z`), (ms) => dayFormat(timeZone).format(ms) >= day);
}

/** The first instant, within a day of `aroundMs`, from which on the condition holds. */
function firstInstant(aroundMs: number, holds: (ms: number) => boolean): Instant {
  let [before, since] = [aroundMs - DAY_MS, aroundMs + DAY_MS];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (holds(middle)) since = middle;
    else before = middle;
  }
  return new Date(since).toISOString();
}

/** "2026-11-30 10:05 (Europe/Madrid)": for people of the company. */
export function localMinuteText(timeZone: string, instant: Instant): string {
  return `${minuteFormat(timeZone).format(new Date(instant))} (${timeZone})`;
}

/**
 * The instant of a date and time ("2026-11-30 10:05") in a time zone. Undefined if the clock skips that time when
 * it is put forward, and if it shows that time twice.
 */
export function instantIn(timeZone: string, text: string): Instant | undefined {
  const local = text.slice(0, 16).replace("T", " ");
  const atUtc = Date.parse(`${local.replace(" ", "T")}:00.000Z`);
  if (Number.isNaN(atUtc)) return undefined;
  const isShown = (ms: number) => minuteFormat(timeZone).format(ms) === local;
  const [only, another] = quartersAround(atUtc).filter(isShown);
  return only === undefined || another !== undefined ? undefined : new Date(only).toISOString();
}

/**
 * The first instant at which the clock of a time zone shows a time ("02:30") on a day. Of an hour that is left out,
 * its end: the first instant at which the clock shows a later time.
 */
export function timeOnDay(timeZone: string, day: Day, time: string): Instant {
  const wanted = `${day} ${time}`;
  const atUtc = Date.parse(`${day}T${time}:00.000Z`);
  const shownAt = (ms: number) => minuteFormat(timeZone).format(ms);
  const first = quartersAround(atUtc).find((ms) => shownAt(ms) === wanted);
  if (first !== undefined) return new Date(first).toISOString();
  return firstInstant(atUtc, (ms) => shownAt(ms) >= wanted);
}

/** When a zone's clock may show the time that is UTC's at `atUtcMs`: zones differ by whole quarters of an hour. */
function quartersAround(atUtcMs: number): number[] {
  return Array.from({ length: 2 * QUARTERS_MAX }, (_, step) => atUtcMs + (step - QUARTERS_MAX) * QUARTER_MS);
}

const QUARTER_MS = 900_000;
/** 14 hours; no zone differs by more. */
const QUARTERS_MAX = 4 * 14;

/** Adds `byMs` (may be negative). At most 9999-12-31, because longer years break text order. */
export function shifted(instant: Instant, byMs: number): Instant {
  return new Date(Math.min(Date.parse(instant) + byMs, LAST_INSTANT_MS)).toISOString();
}

/** Whether an instant is further in the future than the clocks of two machines may differ. */
export function isInFuture(instant: Instant, now: Instant): boolean {
  return instant > shifted(now, CLOCK_DIFFERENCE_MAX_MS);
}

const CLOCK_DIFFERENCE_MAX_MS = 300_000;

/** Sorts behind every instant before the year 9999. */
export const NEVER: Instant = "9999";

const LAST_INSTANT_MS = Date.parse("9999-12-31T23:59:59.999Z");

export function secondsBetween(from: Instant, to: Instant): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

/** The locale sv-SE prints ISO days. Cached per zone, because creating a format is slow. */
function cachedFormat(options: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, ...options });
    formats.set(timeZone, format);
    return format;
  };
}

const DAY_PARTS = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
const dayFormat = cachedFormat(DAY_PARTS);
const minuteFormat = cachedFormat({ ...DAY_PARTS, hour: "2-digit", minute: "2-digit" });

/** A time on two clocks: the wall clock, which may jump, and the monotonic one, which restarts with the machine. */
export interface Moment {
  readonly at: Instant;
  readonly monotonicMs: number;
}

/**
 * A monotonic instant in whole milliseconds, for storing. Rounded down, because a stored instant later than now
 * would be taken for one from before the machine's restart.
 */
export function wholeMs(monotonicMs: number): number {
  return Math.floor(monotonicMs);
}

/** Lower bound for the elapsed milliseconds: after a restart of the machine, only what is certain. */
export function elapsedMs(sinceMonotonicMs: number, nowMonotonicMs: number): number {
  return nowMonotonicMs >= sinceMonotonicMs ? nowMonotonicMs - sinceMonotonicMs : nowMonotonicMs;
}
