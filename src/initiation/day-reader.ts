/**
 * Reads days: ISO text, another text that begins with the year, a spreadsheet's date cell, or a local date that is a day in
 * one order only, like 30/11/2026. One like 03/04/2026 is never guessed.
 */
import { type Problem, problem } from "../faults/index.ts";
import type { Day } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import type { FilledCell } from "./readers.ts";

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A date cell without a time of day may contain midnight. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;
/** Midnight as programs export it; with a time zone it might be another day, so that is refused. */
const TYPED_MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
/** 2026/11/30 is written in Japan, and nowhere with the day in the middle. */
const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?=$|[T ])/;
const LOCAL_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

export function readDay(cell: FilledCell, label: string): Day | Problem {
  if (cell.kind === "number" || cell.kind === "boolean")
    return problem("VALUE_KIND_WRONG", { field: label, found: cell.kind, expected: "a date or text" });
  const whole = cell.text.trim().replace(cell.kind === "date" ? MIDNIGHT : TYPED_MIDNIGHT, "");
  const text = whole.replace(YEAR_FIRST, (_, year: string, __, month: string, day: string) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
  );
  if (isDay(text)) return text;
  const [first, second] = localReadings(text);
  const shown = { field: label, text: shownText(whole) };
  if (isDay(TIME.exec(text)?.[1] ?? "")) return problem("DATE_HAS_TIME", shown);
  if (first === undefined) return problem("DATE_UNREADABLE", shown);
  return second === undefined ? first : problem("DATE_AMBIGUOUS", { ...shown, first, second });
}

/** Whether it is a day of the calendar: Date makes 2 March of 30 February. */
function isDay(text: string): boolean {
  if (!ISO_DAY.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The day-first and month-first readings that are valid calendar days, without duplicates. */
function localReadings(text: string): Day[] {
  const [, left = "", , right = "", year = ""] = LOCAL_DAY.exec(text) ?? [];
  const [a, b] = [left.padStart(2, "0"), right.padStart(2, "0")];
  return [...new Set([`${year}-${b}-${a}`, `${year}-${a}-${b}`])].filter(isDay);
}
