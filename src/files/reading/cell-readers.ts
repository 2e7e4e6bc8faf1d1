/**
 * Readers turn a cell into a value, one per kind of column. A reader checks only its own cell; row-rules.ts checks
 * what depends on other cells. Empty and flawed cells never reach a reader.
 */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import { type ColumnName, EXAMPLE_REFERENCE, feePolicies } from "../../model/columns.ts";
import { type BooleanCell, type DateCell, type NumberCell, textOf } from "../../model/grid.ts";
import {
  type CustodyAccountId,
  custodyAccountId,
  type Day,
  isPlainReference,
  isUuid,
} from "../../model/index.ts";
import { escapedCharacter } from "../../model/printable-text.ts";
import { escapedText, shownText } from "../../model/shown-text.ts";
import { suggestion } from "../../model/words.ts";
import { Decimal } from "../../money/index.ts";
import { type AmountFormat, type DayOrder, LOCAL_DAY, readAmount } from "./column-format.ts";
import type { InitiationPolicy } from "./policy.ts";

type FilledCell = string | NumberCell | DateCell | BooleanCell;

/** Returns the value, or the problem. `label`: the column's header, for messages. */
export type Reader<Value> = (cell: FilledCell, label: string) => Value | Problem;

/** Fees have always been far below it; 1 is the usual relay minimum. */
const FEE_RATE_MAX_SAT_PER_VBYTE = 5000;

const NAME_LENGTH_MAX = 255;
const CUSTOMER_LENGTH_MAX = 500;

/** The reader of each column. */
export function columnReaders(
  { referencePattern }: Pick<InitiationPolicy, "referencePattern">,
  amountFormat: AmountFormat,
  dayOrder: DayOrder | undefined,
) {
  const name = textReader(NAME_LENGTH_MAX);
  return {
    reference: (cell: FilledCell, label: string) =>
      typeof cell === "string"
        ? readReference(cell, referencePattern, label)
        : readName(cell, label, (text) => readReference(text, referencePattern, label)),
    amount: (cell: FilledCell) => readAmount(cell, amountFormat),
    currency: name,
    destinationAddress: (cell: FilledCell, label: string) =>
      // Unlike `trim`, removes only spaces and tabs. Any other invisible character may be the rest of a lost part.
      typeof cell === "string"
        ? cell.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "")
        : malformed(label, shownText(cell.text), "a text cell"),
    destinationAccountId: readUuid,
    accountId: name,
    username: name,
    customerId: textReader(CUSTOMER_LENGTH_MAX, "several"),
    callbackUrl: readCallbackUrl,
    feePolicy: readFeePolicy,
    customFeeRate: readFeeRate,
    subtractFee: readBoolean,
    verifyBalance: readBoolean,
    useCoinConsolidation: readBoolean,
    batchingAllowed: readBoolean,
    orderCodeName: name,
    generalLedgerName: name,
    generalLedgerProject: name,
    generalLedgerDistribution: name,
    payOn: dayReader(dayOrder),
  } satisfies Record<ColumnName, Reader<unknown>>;
}

/**
 * A reference as it is sent: any text that the service keeps, in Unicode's form NFC. A template's example is
 * refused.
 */
export function readReference(
  text: string,
  { maxLength, allowed }: InitiationPolicy["referencePattern"],
  label: string,
): string | Problem {
  if (text.trim() === EXAMPLE_REFERENCE) return problem("ROW_IS_EXAMPLE", {});
  const reference = text.normalize("NFC");
  if (reference.length > maxLength)
    return malformed(label, shownText(text), `a text of at most ${maxLength} characters`);
  const wrong = isPlainReference(reference) ? undefined : wrongIn(reference);
  if (wrong !== undefined) return problem("REFERENCE_MALFORMED", { text: shownText(text), wrong });
  if (allowed === undefined || new RegExp(`^(?:${allowed})$`).test(reference)) return reference;
  return problem("REFERENCE_MALFORMED", { text: shownText(text), wrong: `not of the form ${allowed}` });
}

/**
 * The reason in words why a reference is refused: the service, or a person who types it, may change such
 * characters.
 */
function wrongIn(reference: string): string | undefined {
  const strange = /[\u200c\u200d]/.exec(reference)?.[0] ?? INVISIBLE.exec(reference)?.[0];
  if (strange !== undefined) return `it holds an invisible character (${escapedCharacter(strange)})`;
  if (/^\s|\s$/u.test(reference)) return "it begins or ends with a space";
  if (/\s\s/u.test(reference)) return "it holds two spaces side by side";
  const odd = /[^\S ]/u.exec(reference)?.[0];
  if (odd !== undefined) return `it holds a space of another kind (${escapedCharacter(odd)})`;
  // In formats that services and their tools use, a double quote ends a text or begins something else.
  if (reference.includes('"')) return "it holds a double quote";
  if (reference.includes("\\")) return "it holds a backslash";
  if (/^\d(?:[.,]\d+)?e\+\d+$/i.test(reference)) return "a spreadsheet has shortened it, so digits are lost";
  return /[<>]/.test(reference) ? "it holds an angle bracket" : undefined;
}

/**
 * Invisible characters: controls, format characters (except the two joiners that some scripts need), line
 * separators.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const DIRECTION_MARKS = /^[\s\u200e\u200f]+|(?<![\s\u200e\u200f])[\s\u200e\u200f]+$/g;
const LINE_BREAKS = /\r?\n/g;

/** Free text of at most `lengthMax` characters without invisible ones; line breaks only with `lines: "several"`. */
function textReader(lengthMax: number, lines: "one" | "several" = "one"): Reader<string> {
  return (cell, label) =>
    readName(cell, label, (text) => {
      if (text.length > lengthMax)
        return malformed(label, shownText(text), `a text of at most ${lengthMax} characters`);
      const strange = INVISIBLE.exec(lines === "several" ? text.replace(LINE_BREAKS, "") : text)?.[0];
      if (strange === undefined) return text;
      // Programs in Hebrew and Arabic write these marks around texts.
      const unmarked = text.replace(DIRECTION_MARKS, "");
      if (unmarked !== text) return textReader(lengthMax, lines)(unmarked, label);
      const expected = `a text without invisible characters (${escapedCharacter(strange)})`;
      return malformed(label, shownText(text), expected);
    });
}

const INTEGER_CELL = /^\d{1,15}$/;

/**
 * A name or identifier from a text cell, or from a whole number that a spreadsheet made of one, with the leading
 * zeros it shows. Refused if its format shows more than digits (`INV-42`, `4,208` or `4.2E+03`).
 */
function readName(
  cell: FilledCell,
  label: string,
  read: (text: string) => string | Problem,
): string | Problem {
  if (typeof cell === "string") return read(cell.trim());
  const digits = plainDigits(cell, label);
  if (isProblem(digits)) return digits;
  return INTEGER_CELL.test(digits) ? read(digits) : malformed(label, shownText(cell.text), "a text cell");
}

/** The text of a cell. Of a number, its digits as shown, because some programs store 4711 as 4711.0 or 4.711E3. */
function plainDigits(cell: FilledCell, label: string): string | Problem {
  if (typeof cell === "string" || cell.kind !== "number") return textOf(cell).trim();
  const { text, unit, decimals } = cell;
  if (unit !== undefined || decimals !== undefined) {
    const how = "its number format shows another text, or none";
    return problem("VALUE_SHOWN_OTHERWISE", { field: label, text: shownText(text), how });
  }
  return INTEGER_CELL.test(text) ? text : (Decimal.parse(text)?.normalized().toString() ?? "");
}

/** 8-4-4-4-12 hexadecimal digits; returned in lower case. */
function readUuid(cell: FilledCell, label: string): CustodyAccountId | Problem {
  const text = textOf(cell).trim();
  return isUuid(text)
    ? custodyAccountId(text)
    : malformed(label, escapedText(text), "a UUID as the service shows it: 8-4-4-4-12 hexadecimal digits");
}

/** An http or https URL to which a path can be appended. Messages never repeat passwords or query tokens. */
function readCallbackUrl(cell: FilledCell, label: string): string | Problem {
  const text = textOf(cell).trim();
  const url = URL.parse(text);
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && !/[^\x21-\x7e]/.test(text);
  const mayHoldPassword = isHttp ? url.username !== "" || url.password !== "" : text.includes("@");
  if (mayHoldPassword || /[?#]/.test(text)) return problem("URL_NOT_PLAIN", { field: label });
  return isHttp ? text : malformed(label, escapedText(text), "an http or https address");
}

function readFeePolicy(cell: FilledCell, label: string): (typeof feePolicies)[number] | Problem {
  const text = textOf(cell).trim();
  const choice = feePolicies.find((known) => known === text.toUpperCase());
  if (choice !== undefined) return choice;
  const expected = `one of ${feePolicies.join(", ")}${suggestion(text, feePolicies)}`;
  return malformed(label, shownText(text), expected);
}

function readFeeRate(cell: FilledCell, label: string): number | Problem {
  const digits = plainDigits(cell, label);
  if (isProblem(digits)) return digits;
  const value = INTEGER_CELL.test(digits) ? Number.parseInt(digits, 10) : 0;
  if (value >= 1 && value <= FEE_RATE_MAX_SAT_PER_VBYTE) return value;
  const expected = `a whole number from 1 to ${FEE_RATE_MAX_SAT_PER_VBYTE}`;
  return malformed(label, shownText(textOf(cell)), expected);
}

/** Yes or no, true or false, 1 or 0, and a spreadsheet's own booleans. */
function readBoolean(cell: FilledCell, label: string): boolean | Problem {
  const text = plainDigits(cell, label);
  if (isProblem(text)) return text;
  if (/^(?:true|yes|1)$/i.test(text)) return true;
  if (/^(?:false|no|0)$/i.test(text)) return false;
  return malformed(label, shownText(textOf(cell)), "true or false (yes or no)");
}

/**
 * A date cell, and a day that a program exports, may contain midnight. With a time zone it might be another day.
 */
const MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
/** 2026/11/30 is written in Japan; no country writes it with the day in the middle. */
const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/;

/** A day: ISO text, another text that begins with the year, a date cell, or a local date in the column's order. */
function dayReader(order: DayOrder | undefined): Reader<Day> {
  return (cell, label) => {
    const whole = textOf(cell).trim();
    const isDate = typeof cell !== "string" && cell.kind === "date";
    const text = (isDate ? whole.replace(/Z$/, "") : whole).replace(MIDNIGHT, "");
    const day = text.replace(YEAR_FIRST, (_, year, _mark, month, day) => dayText(year, month, day));
    if (isDay(day)) return day;
    const [, left = "", , right = "", year = ""] = LOCAL_DAY.exec(text) ?? [];
    const [first, second] = [dayText(year, right, left), dayText(year, left, right)];
    const read = order === "month first" ? second : first;
    const isCertain = order !== undefined || first === second;
    if (isCertain && isDay(read)) return read;
    return isCertain || !isDay(first) || !isDay(second)
      ? malformed(label, shownText(whole), "a day such as 2026-11-30, without a time")
      : problem("DATE_AMBIGUOUS", { field: label, text: shownText(whole), first, second });
  };
}

function dayText(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Whether it is a day of the calendar, because Date turns 30 February into 2 March. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function malformed(field: string, text: string, expected: string): Problem {
  return problem("VALUE_MALFORMED", { field, text, expected });
}
