/**
 * Readers turn a cell into a value, one per kind of column. A reader checks only its own cell; what depends on other
 * cells is in row-rules.ts. Empty and flawed cells never reach a reader.
 */
import { type Problem, problem } from "../faults/index.ts";
import { type ColumnName, EXAMPLE_REFERENCE, feePolicies } from "../model/columns.ts";
import type { BooleanCell, DateCell, NumberCell } from "../model/grid.ts";
import {
  type CustodyAccountId,
  custodyAccountId,
  type Day,
  isPlainReference,
  isUuid,
} from "../model/index.ts";
import { escapedCharacter } from "../model/printable-text.ts";
import { looksLikePrivateKey } from "../model/private-key.ts";
import { escapedText, shownText } from "../model/shown-text.ts";
import { suggestion } from "../model/words.ts";
import { Decimal } from "../money/index.ts";
import { type AmountFormat, type DayOrder, LOCAL_DAY, readAmount } from "./column-format.ts";
import type { InitiationPolicy } from "./policy.ts";

type FilledCell = string | NumberCell | DateCell | BooleanCell;

/** Returns the value, or the problem. `label`: the column's header, for messages. */
export type Reader<Value> = (cell: FilledCell, label: string) => Value | Problem;

/** Plausible bounds: 1 sat/vB is the usual relay minimum, and fees have never been near 5,000. */
const FEE_RATE_MIN_SAT_PER_VBYTE = 1;
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
      typeof cell === "string" ? withoutSpaces(cell) : wrongKind(cell, label),
    destinationAccountId: readUuid,
    accountId: name,
    username: name,
    customerId: textReader(CUSTOMER_LENGTH_MAX, "several"),
    callbackUrl: readCallbackUrl,
    feePolicy: choiceReader(feePolicies),
    customFeeRate: wholeNumberReader(FEE_RATE_MIN_SAT_PER_VBYTE, FEE_RATE_MAX_SAT_PER_VBYTE),
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

/** Unlike `trim`, leaves what a cell does not show as a space: it may have come with another part that was lost. */
function withoutSpaces(text: string): string {
  return text.replace(/^ +/, "").replace(/(?<! ) +$/, "");
}

/**
 * A reference as it is sent: any text that the service keeps, in Unicode's form NFC. The example of a template is none.
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

/** What is wrong with a reference, in words; the service, or a person who types it, may change such characters. */
function wrongIn(reference: string): string | undefined {
  const strange = /[\u200c\u200d]/.exec(reference)?.[0] ?? INVISIBLE.exec(reference)?.[0];
  if (strange !== undefined) return `it holds an invisible character (${escapedCharacter(strange)})`;
  if (/^\s|\s$/u.test(reference)) return "it begins or ends with a space";
  if (/\s\s/u.test(reference)) return "it holds two spaces side by side";
  const odd = /[^\S ]/u.exec(reference)?.[0];
  if (odd !== undefined) return `it holds a space of another kind (${escapedCharacter(odd)})`;
  const refused = REFUSED.find(([character]) => reference.includes(character));
  return refused === undefined ? undefined : `it holds ${refused[1]}`;
}

/** They end a text, or begin something else, in the formats in which services and their tools pass references on. */
const REFUSED: readonly (readonly [character: string, name: string])[] = [
  ['"', "a double quote"],
  ["\\", "a backslash"],
  ["<", "an angle bracket"],
  [">", "an angle bracket"],
];

/** Invisible characters: controls, format characters (except the two joiners that some scripts need), line separators. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /\r?\n/g;

/** Free text of at most `lengthMax` characters, none of them invisible; line breaks only with `lines: "several"`. */
function textReader(lengthMax: number, lines: "one" | "several" = "one"): Reader<string> {
  return (cell, label) =>
    readName(cell, label, (text) => {
      if (text.length > lengthMax)
        return malformed(label, shownText(text), `a text of at most ${lengthMax} characters`);
      const strange = INVISIBLE.exec(lines === "several" ? text.replace(LINE_BREAKS, "") : text)?.[0];
      if (strange === undefined) return text;
      return malformed(
        label,
        shownText(text),
        `a text without invisible characters (${escapedCharacter(strange)})`,
      );
    });
}

const INTEGER_CELL = /^\d{1,15}$/;

/**
 * A name or identifier from a text cell, or a whole number that a spreadsheet made of one: with the leading zeros it
 * shows, and refused if its format shows more than digits (`INV-42`, `4,208` or `4.2E+03`).
 */
function readName(
  cell: FilledCell,
  label: string,
  read: (text: string) => string | Problem,
): string | Problem {
  if (typeof cell === "string") return read(cell.trim());
  if (cell.kind !== "number") return wrongKind(cell, label);
  if (cell.unit !== undefined || cell.decimals !== undefined) return shownOtherwise(cell.text, label);
  const digits = INTEGER_CELL.test(cell.text) ? cell.text : (plainDigits(cell.text) ?? "");
  return INTEGER_CELL.test(digits) ? read(digits) : wrongKind(cell, label);
}

/** The digits of a number cell as shown: some programs store 4711 as 4711.0 or 4.711E3. */
function plainDigits(text: string): string | undefined {
  return Decimal.parse(text)?.normalized().toString();
}

/** 8-4-4-4-12 hexadecimal digits; returned in lower case. */
const readUuid: Reader<CustodyAccountId> = (cell, label) => {
  const text = textOf(cell).trim();
  if (looksLikePrivateKey(text)) return problem("VALUE_IS_SECRET", { field: label });
  return isUuid(text)
    ? custodyAccountId(text)
    : malformed(label, escapedText(text), "a UUID as the service shows it: 8-4-4-4-12 hexadecimal digits");
};

/** An http or https URL to which a path can be appended. Messages never repeat passwords or query tokens. */
const readCallbackUrl: Reader<string> = (cell, label) => {
  const text = textOf(cell).trim();
  const url = URL.parse(text);
  const isHttp = url !== null && /^https?:$/.test(url.protocol) && !/[^\x21-\x7e]/.test(text);
  const mayHoldPassword = isHttp ? url.username !== "" || url.password !== "" : text.includes("@");
  if (mayHoldPassword || /[?#]/.test(text)) return problem("URL_NOT_PLAIN", { field: label });
  return isHttp ? text : malformed(label, escapedText(text), "an http or https address");
};

/** One of a fixed list, case-insensitive. */
function choiceReader<Choice extends string>(choices: readonly Choice[]): Reader<Choice> {
  return (cell, label) => {
    const text = textOf(cell).trim();
    const choice = choices.find((known) => known.toUpperCase() === text.toUpperCase());
    if (choice !== undefined) return choice;
    const expected = `one of ${choices.join(", ")}${suggestion(text, choices)}`;
    return malformed(label, shownText(text), expected);
  };
}

/** A whole number; a number cell of 12.0 is 12. Of units, a number format may only show that of a fee rate. */
function wholeNumberReader(minimum: number, maximum: number): Reader<number> {
  return (cell, label) => {
    const text = textOf(cell).trim();
    const isNumber = typeof cell !== "string" && cell.kind === "number";
    if (isNumber && !/^(?:sats?[ /]?vb)?$/i.test(cell.unit ?? "")) return shownOtherwise(text, label);
    const digits = isNumber ? plainDigits(text) : text;
    const value = INTEGER_CELL.test(digits ?? "") ? Number.parseInt(digits ?? "", 10) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    return malformed(label, shownText(text), `a whole number from ${minimum} to ${maximum}`);
  };
}

/** Yes or no, true or false, 1 or 0, and a spreadsheet's own booleans. */
const readBoolean: Reader<boolean> = (cell, label) => {
  const isNumber = typeof cell !== "string" && cell.kind === "number";
  if (isNumber && cell.unit !== undefined) return shownOtherwise(cell.text, label);
  const text = isNumber ? plainDigits(cell.text) : textOf(cell).trim().toLowerCase();
  const value = YES_OR_NO.get(text ?? "");
  return value ?? malformed(label, shownText(textOf(cell)), "true or false (yes or no)");
};

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "1"].map((text) => [text, true] as const),
  ...["false", "no", "0"].map((text) => [text, false] as const),
]);

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A date cell without a time of day may contain midnight. */
const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;
/** Midnight as programs export it; with a time zone it might be another day, so that is refused. */
const TYPED_MIDNIGHT = /[T ]00:00(?::00(?:\.0+)?)?$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;
/** 2026/11/30 is written in Japan, and nowhere with the day in the middle. */
const YEAR_FIRST = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?=$|[T ])/;

/** A day: ISO text, another text that begins with the year, a date cell, or a local date in the column's order. */
function dayReader(order: DayOrder | undefined): Reader<Day> {
  return (cell, label) => {
    const isDate = typeof cell !== "string" && cell.kind === "date";
    const whole = textOf(cell).trim();
    const text = whole
      .replace(isDate ? MIDNIGHT : TYPED_MIDNIGHT, "")
      .replace(
        YEAR_FIRST,
        (_, year: string, _mark: string, month: string, day: string) =>
          `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
      );
    if (isDay(text)) return text;
    const isMoment = isDay(TIME.exec(text)?.[1] ?? "");
    const unreadable = malformed(
      label,
      shownText(whole),
      `a day such as 2026-11-30${isMoment ? ", without a time" : ""}`,
    );
    if (isMoment) return unreadable;
    const [, left = "", , right = "", year = ""] = LOCAL_DAY.exec(text) ?? [];
    const [a, b] = [left.padStart(2, "0"), right.padStart(2, "0")];
    const [dayFirst, monthFirst] = [`${year}-${b}-${a}`, `${year}-${a}-${b}`];
    const read = order === "month first" ? monthFirst : dayFirst;
    if (order !== undefined || dayFirst === monthFirst) return isDay(read) ? read : unreadable;
    if (!isDay(dayFirst) || !isDay(monthFirst)) return unreadable;
    return problem("DATE_AMBIGUOUS", {
      field: label,
      text: shownText(whole),
      first: dayFirst,
      second: monthFirst,
    });
  };
}

/** Whether it is a day of the calendar: Date makes 2 March of 30 February. */
function isDay(text: string): boolean {
  if (!ISO_DAY.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function textOf(cell: FilledCell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function shownOtherwise(text: string, field: string): Problem {
  const how = "its number format shows another text, or none";
  return problem("VALUE_SHOWN_OTHERWISE", { field, text: shownText(text), how });
}

function malformed(field: string, text: string, expected: string): Problem {
  return problem("VALUE_MALFORMED", { field, text, expected });
}

function wrongKind({ text }: Exclude<FilledCell, string>, label: string): Problem {
  return malformed(label, shownText(text), `a text cell`);
}
