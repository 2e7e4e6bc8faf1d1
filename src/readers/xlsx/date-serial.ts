/**
 * Converts spreadsheet serial day numbers to calendar dates (ECMA-376 part 1, 18.17.4), exactly and without time
 * zones.
 */
import { Decimal } from "../../money/decimal.ts";

/** 1900: day 1 is 1900-01-01, and a 29 February 1900 that never existed is counted. 1904: day 0 is 1904-01-01. */
export type DateSystem = 1900 | 1904;

/**
 * `yyyy-mm-dd`, with `Thh:mm:ss` unless it is midnight; `hh:mm:ss` for a time without a day. Rounded to the second,
 * because a binary double seldom holds one exactly. Undefined for other numbers: negative ones, 1900-02-29, years
 * above
 * 9999.
 */
export function dateOfSerial(serial: string, system: DateSystem): string | undefined {
  const value = Decimal.parse(serial);
  if (value === undefined || value.isNegative() || value.compare(SERIAL_LIMIT) >= 0) return undefined;
  const seconds = Number(value.times(SECONDS_PER_DAY).rounded(0).toString());
  const day = Math.floor(seconds / 86_400);
  const isTimeAlone = system === 1900 && day === 0;
  const epochDay = isTimeAlone ? 0 : epochDayOf(day, system);
  if (epochDay === undefined) return undefined;
  const iso = new Date((epochDay * 86_400 + (seconds % 86_400)) * 1000).toISOString();
  if (iso.length !== "yyyy-mm-ddThh:mm:ss.sssZ".length) return undefined;
  const time = iso.slice(11, 19);
  if (isTimeAlone) return time;
  return time === "00:00:00" ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** Day 2958465 is 9999-12-31 in the system of 1900. */
const SERIAL_LIMIT = Decimal.of("2958466");
const SECONDS_PER_DAY = Decimal.of("86400");

/** Days since 1970-01-01. */
function epochDayOf(day: number, system: DateSystem): number | undefined {
  if (system === 1904) return day - 24_107;
  if (day === 60) return undefined;
  return day < 60 ? day - 25_568 : day - 25_569;
}
