/** Reads days: ISO text or a spreadsheet's date cell. A local date like 03/04/2026 is never guessed. */
import { type Problem, problem } from "../faults/index.ts";
import type { Day } from "../model/index.ts";
import type { FilledCell } from "./readers.ts";
import { shownText } from "./shown-text.ts";

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** A date cell without a time of day may contain midnight. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;
/** Midnight as programs export it; with a time zone it might be another day, so that is refused. */
const TYPED_MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
const LOCAL_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

export function readDay(cell: FilledCell, label: string): Day | Problem {
  if (cell.kind === "number" || cell.kind === "boolean")
    return problem("VALUE_KIND_WRONG", { field: label, found: cell.kind, expected: "a date or text" });
  const text = cell.text.trim().replace(cell.kind === "date" ? MIDNIGHT : TYPED_MIDNIGHT, "");
  if (isDay(text)) return text;
  const [first, second] = localReadings(text);
  const shown = { field: label, text: shownText(text) };
  if (isDay(TIME.exec(text)?.[1] ?? "")) return problem("DATE_HAS_TIME", shown);
  if (first === undefined || second === undefined) return problem("DATE_UNREADABLE", shown);
  return problem("DATE_AMBIGUOUS", { ...shown, first, second });
}

function isDay(text: string): boolean {
  const [, year = "", month = "", day = ""] = ISO_DAY.exec(text) ?? [];
  if (year === "") return false;
  const [y, m, d] = [Number.parseInt(year, 10), Number.parseInt(month, 10), Number.parseInt(day, 10)];
  return m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** The day-first and month-first readings that are valid calendar days, without duplicates. */
function localReadings(text: string): Day[] {
  const [, left = "", , right = "", year = ""] = LOCAL_DAY.exec(text) ?? [];
  const [a, b] = [left.padStart(2, "0"), right.padStart(2, "0")];
  return [...new Set([`${year}-${b}-${a}`, `${year}-${a}-${b}`])].filter(isDay);
}
