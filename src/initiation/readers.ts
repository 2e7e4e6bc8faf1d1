/**
 * Readers turn a cell into a value, one per kind of column. A reader checks only its own cell; what depends on other
 * cells is in row-rules.ts. Empty cells never reach a reader.
 */
import { type Problem, problem } from "../faults/index.ts";
import { EXAMPLE_REFERENCE } from "../model/columns.ts";
import { type Cell, type CustodyAccountId, custodyAccountId, type Day, isUuid } from "../model/index.ts";
import { escapedCharacter } from "../model/printable-text.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { escapedText, shownText } from "../model/shown-text.ts";
import { suggestion } from "../model/words.ts";
import { Decimal } from "../money/index.ts";
import { readNumberCell } from "./amounts/number-cell.ts";
import { type NumberFormat, readAmountText } from "./amounts/number-format.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** A cell with a value: not empty, not an error, and not a formula (its saved result replaces it). */
type FilledCell = Extract<Cell, { kind: "text" | "number" | "date" | "boolean" }>;

/** Returns the value, or the problem. `label`: the column's header, for messages. */
export type Reader<Value> = (cell: FilledCell, label: string) => Value | Problem;

export interface AmountReading {
  readonly value: Decimal;
  /** As written in the file, trimmed. */
  readonly text: string;
  readonly fromNumberCell: boolean;
  /** The unit that the cell's number format shows beside the digits. */
  readonly unit: string | undefined;
  /** How many decimals are shown, if the cell holds more. */
  readonly decimals: number | undefined;
}

const INTEGER_CELL = /^\d{1,15}$/;

/**
 * Invisible characters: controls, format characters (except the two joiners that some scripts need), line separators.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /\r?\n/g;

/** Free text of at most `lengthMax` characters, none of them invisible; line breaks only with `lines: "several"`. */
export function textReader(lengthMax: number, lines: "one" | "several" = "one"): Reader<string> {
  return (cell, label) => {
    const text = textOf(cell, label);
    if (typeof text !== "string") return text;
    if (text.length > lengthMax)
      return problem("VALUE_TOO_LONG", { field: label, found: text.length, limit: lengthMax });
    const strange = INVISIBLE.exec(lines === "several" ? text.replace(LINE_BREAKS, "") : text)?.[0];
    if (strange !== undefined)
      return problem("VALUE_HAS_CONTROL_CHARACTER", { field: label, escaped: escapedCharacter(strange) });
    return holdsPrivateKey(text, label) ? problem("VALUE_IS_SECRET", { field: label }) : text;
  };
}

/**
 * A text of at most `lengthMax` characters that matches `pattern` as a whole; the service might alter others. The
 * example reference of a template never matches.
 */
export function referenceReader(lengthMax: number, pattern: string): Reader<string> {
  const readText = textReader(lengthMax);
  const whole = new RegExp(`^(?:${pattern})$`);
  return (cell, label) => {
    const text = readText(cell, label);
    if (text === EXAMPLE_REFERENCE) return problem("ROW_IS_EXAMPLE", {});
    if (typeof text !== "string" || whole.test(text)) return text;
    return problem("REFERENCE_MALFORMED", { text: shownText(text), pattern });
  };
}

/** An exact amount; sign, scale and limit are checked once its currency is known. */
export function amountReader(format: NumberFormat): Reader<AmountReading> {
  return (cell, label) => {
    const fromNumberCell = cell.kind === "number";
    if (!fromNumberCell && cell.kind !== "text") return wrongKind(cell, label, "text or a number");
    const text = cell.text.trim();
    const value = fromNumberCell ? readNumberCell(text) : readAmountText(text, format);
    const { unit, decimals } = cell.kind === "number" ? cell : ALL_IS_SHOWN;
    return value instanceof Decimal ? { value, text, fromNumberCell, unit, decimals } : value;
  };
}

const ALL_IS_SHOWN = { unit: undefined, decimals: undefined };

/** A destination address as typed, without the spaces around it; what it is is checked with the custody account. */
export const readAddressText: Reader<string> = (cell, label) =>
  cell.kind === "text" ? withoutSpaces(cell.text) : wrongKind(cell, label, "text");

/** Unlike `trim`, leaves what a cell does not show as a space: it may have come with another part that was lost. */
function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === " ") start += 1;
  while (end > start && text[end - 1] === " ") end -= 1;
  return text.slice(start, end);
}

/** 8-4-4-4-12 hexadecimal digits; returned in lower case. */
export const readUuid: Reader<CustodyAccountId> = (cell, label) => {
  const text = cell.text.trim();
  if (looksLikePrivateKey(text)) return problem("VALUE_IS_SECRET", { field: label });
  return isUuid(text)
    ? custodyAccountId(text)
    : problem("UUID_MALFORMED", { field: label, text: escapedText(text) });
};

/** An http or https URL to which a path can be appended. Messages never repeat passwords or query tokens. */
export const readCallbackUrl: Reader<string> = (cell, label) => {
  const text = cell.text.trim();
  const url = URL.parse(text);
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && !/[^\x21-\x7e]/.test(text);
  if (isHttp ? url.username !== "" || url.password !== "" : text.includes("@"))
    return problem("URL_HAS_CREDENTIALS", { field: label });
  if (/[?#]/.test(text)) return problem("URL_HAS_QUERY", { field: label });
  if (holdsPrivateKey(text, label)) return problem("VALUE_IS_SECRET", { field: label });
  return isHttp ? text : problem("URL_MALFORMED", { field: label, text: escapedText(text) });
};

/** One of a fixed list, case-insensitive. */
export function choiceReader<Choice extends string>(choices: readonly Choice[]): Reader<Choice> {
  return (cell, label) => {
    const text = cell.text.trim();
    const wanted = text.toUpperCase();
    const choice = choices.find((known) => known.toUpperCase() === wanted);
    if (choice !== undefined) return choice;
    return problem("CHOICE_UNKNOWN", {
      field: label,
      text: shownText(text),
      allowed: choices.join(", "),
      suggestion: suggestion(text, choices),
    });
  };
}

/** A whole number; a number cell of 12.0 is 12. Of units, a number format may only show that of a fee rate. */
export function wholeNumberReader(minimum: number, maximum: number): Reader<number> {
  return (cell, label) => {
    const text = cell.text.trim();
    if (cell.kind === "number" && !/^(?:sats?[ /]?vb)?$/i.test(cell.unit ?? ""))
      return shownOtherwise(text, label);
    const digits = cell.kind === "number" ? plainDigits(text) : text;
    const value =
      digits !== undefined && INTEGER_CELL.test(digits) ? Number.parseInt(digits, 10) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    return problem("INTEGER_UNREADABLE", { field: label, text: shownText(text), minimum, maximum });
  };
}

/** "yes?" is no answer. */
const LETTERS_OR_DIGITS = /^[\p{L}\p{N}]+$/u;

/** Yes or no in any case and ten languages, 1 or 0, and a spreadsheet's own booleans. */
export const readBoolean: Reader<boolean> = (cell, label) => {
  if (cell.kind === "number" && cell.unit !== undefined) return shownOtherwise(cell.text, label);
  const text = cell.kind === "number" ? plainDigits(cell.text) : cell.text.trim();
  const value = text !== undefined && LETTERS_OR_DIGITS.test(text) ? yesOrNo(text) : undefined;
  return value ?? problem("BOOLEAN_UNREADABLE", { field: label, text: shownText(cell.text) });
};

/**
 * A name or identifier from a text cell, or a whole number that a spreadsheet made of one: with the leading zeros it
 * shows, and refused if its format shows more than digits (`INV-42`, `4,208` or `4.2E+03`).
 */
function textOf(cell: FilledCell, label: string): string | Problem {
  if (cell.kind === "text") return cell.text.trim();
  if (cell.kind !== "number") return wrongKind(cell, label, "text");
  if (cell.unit !== undefined || cell.decimals !== undefined) return shownOtherwise(cell.text, label);
  const digits = INTEGER_CELL.test(cell.text) ? cell.text : (plainDigits(cell.text) ?? "");
  return INTEGER_CELL.test(digits) ? digits : wrongKind(cell, label, "text");
}

/** The digits of a number cell as shown: some programs store 4711 as 4711.0 or 4.711E3. */
function plainDigits(text: string): string | undefined {
  return Decimal.parse(text)?.normalized().toString();
}

function shownOtherwise(text: string, field: string): Problem {
  return problem("VALUE_SHOWN_OTHERWISE", { field, text: shownText(text) });
}

function wrongKind(cell: FilledCell, label: string, expected: string): Problem {
  return problem("VALUE_KIND_WRONG", { field: label, found: cell.kind, expected });
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A date cell without a time of day may contain midnight. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;
/** Midnight as programs export it; with a time zone it might be another day, so that is refused. */
const TYPED_MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
/** 2026/11/30 is written in Japan, and nowhere with the day in the middle. */
const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?=$|[T ])/;
const LOCAL_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * A day: ISO text, another text that begins with the year, a spreadsheet's date cell, or a local date that is a day in one
 * order only, like 30/11/2026. One like 03/04/2026 is never guessed.
 */
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
