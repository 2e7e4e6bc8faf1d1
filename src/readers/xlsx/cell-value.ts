/** Converts one cell element (type attribute, value, style) to a `Cell`. Numbers keep their text from the file. */
import { type Cell, type Flaw, type PlainCell, resultOf } from "../../model/grid.ts";
import { present } from "../../model/present.ts";
import { Decimal } from "../../money/decimal.ts";
import { malformed } from "./archive.ts";
import { dateOfSerial } from "./date-serial.ts";
import { decodeEscapes, type SharedText } from "./shared-texts.ts";
import { type CellStyle, PLAIN_STYLE } from "./styles.ts";
import type { Workbook } from "./workbook.ts";

/** A `<c>` element as written in the file. */
export interface CellSource {
  /** Attribute `t`; "n" if it has none. */
  readonly type: string;
  /** Attribute `s`; 0 if it has none. */
  readonly styleIndex: number;
  /** Text of `<v>`; undefined without the element. */
  readonly value: string | undefined;
  /** The text of `<is>`; undefined without the element. */
  readonly inline: SharedText | undefined;
  readonly isFormula: boolean;
}

/** Fault: XLSX_MALFORMED for a shared text that does not exist and for types not in OOXML. */
export function cellValue(source: CellSource, workbook: Workbook, reference: () => string): Cell {
  const style = workbook.styles.cells[source.styleIndex] ?? PLAIN_STYLE;
  const cell = valueOfType(source, style, workbook, reference);
  const saved = style.isStruck && cell !== "" ? withFlaw(cell, "struck out") : cell;
  if (!source.isFormula) return saved;
  // XlsxWriter saves 0 with every formula; other programs save results that are out of date.
  return { kind: "formula", value: workbook.isRecalculated ? "" : saved };
}

/** An error stays an error, because it shows itself. The flaw of a formula becomes its result's. */
export function withFlaw(cell: Cell, flaw: Flaw): PlainCell {
  const plain = resultOf(cell);
  if (typeof plain === "string") return { kind: "text", text: plain, flaw };
  return plain.kind === "error" ? plain : { ...plain, flaw };
}

function valueOfType(
  { type, value, inline }: CellSource,
  style: CellStyle,
  workbook: Workbook,
  reference: () => string,
): PlainCell {
  const { path } = workbook;
  if (type !== "inlineStr" && inline !== undefined && inline !== "")
    throw malformed(`the cell ${reference()} holds a text, but says that it is of type ${type}`, path);
  const text = value?.trim() ?? "";
  switch (type) {
    case "s":
      return value === undefined ? "" : textCell(sharedText(value, workbook, reference), style);
    case "str":
      return textCell(decodeEscapes(value ?? ""), style);
    case "inlineStr":
      if (value !== undefined && value !== "" && value !== inline)
        throw malformed(`the cell ${reference()} holds a text that not every program shows`, path);
      return textCell(inline ?? "", style);
    case "n":
      return text === "" ? "" : numberOrDate(text.replace(LEADING_ZEROS, "$1"), style, workbook);
    case "b":
      return text === "" ? "" : booleanCell(text);
    case "e":
      return { kind: "error", text: value ?? "#N/A" };
    case "d":
      return text === "" ? "" : isoDate(text);
    default:
      throw malformed(`the cell ${reference()} is of the unknown type ${type}`, path);
  }
}

/** A cell with only white space is empty. */
function textCell(shared: SharedText, { hidesText }: CellStyle): PlainCell {
  const text = typeof shared === "string" ? shared : shared.text;
  if (text.trim() === "") return "";
  if (typeof shared !== "string") {
    if (shared.isStruck) return { kind: "text", text, flaw: "struck out" };
    return { kind: "text", text, flaw: "in parts", parts: shared.parts };
  }
  return hidesText ? { kind: "text", text, flaw: "shown otherwise" } : text;
}

function sharedText(index: string, { sharedTexts, path }: Workbook, reference: () => string): SharedText {
  const text = /^\s*\d+\s*$/.test(index) ? sharedTexts[Number(index)] : undefined;
  if (text === undefined)
    throw malformed(`the cell ${reference()} refers to shared text ${index}, which does not exist`, path);
  return text;
}

/** Some programs write a number as it was typed, but do not show its zeros. */
const LEADING_ZEROS = /^([+-]?)0+(?=\d)/;

/** The lexical forms of xsd:double, without NaN and infinity. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Longer than any double without an exponent; calculating with a million digits would take seconds. */
const NUMBER_LENGTH_MAX = 1_100;

function numberOrDate(text: string, style: CellStyle, { dateSystem }: Workbook): PlainCell {
  if (text.length > NUMBER_LENGTH_MAX || !NUMBER.test(text)) return { kind: "error", text };
  if (!style.isDate) return numberCell(text, style);
  const date = dateOfSerial(text, dateSystem);
  // The number is invisible: spreadsheet programs show such a cell as ######## or as an impossible day.
  if (date === undefined) return { kind: "error", text };
  return { kind: "date", text: date, ...shown(style) };
}

function shown({ format, hidesNumber }: CellStyle): { readonly format?: string; readonly flaw?: Flaw } {
  return { ...present({ format }), ...(hidesNumber ? { flaw: "shown otherwise" } : {}) };
}

function numberCell(text: string, style: CellStyle): PlainCell {
  const { unit, digits } = style;
  const whole = digits && wholeDigits(text);
  const isWhole = whole !== undefined;
  const { decimals = 0, isGrouped = false, wholeMin = 0 } = digits ?? {};
  const isBare = decimals === 0 && unit === undefined && !(isGrouped && (whole ?? "").length > GROUP_LENGTH);
  if (isWhole && isBare)
    return {
      kind: "number",
      text: whole.length < wholeMin ? whole.padStart(wholeMin, "0") : text,
      ...shown(style),
    };
  const isCut = digits !== undefined && (isWhole || (decimalsWritten(text) ?? Infinity) > decimals);
  return { kind: "number", text, ...present({ unit }), ...(isCut ? { decimals } : {}), ...shown(style) };
}

const GROUP_LENGTH = 3;

/** 4208 for 4208, 4208.0 and 4.208E3; undefined if the number is not whole. */
function wholeDigits(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const digits = /^\d+\.0*$|e/i.test(text) ? Decimal.parse(text)?.normalized().toString() : undefined;
  return digits !== undefined && /^\d+$/.test(digits) ? digits : undefined;
}

/** Undefined for a number with an exponent. */
function decimalsWritten(text: string): number | undefined {
  return /e/i.test(text) ? undefined : (/\.(.*)/.exec(text)?.[1]?.length ?? 0);
}

function booleanCell(text: string): PlainCell {
  if (text === "1" || text === "true") return { kind: "boolean", text: "true" };
  if (text === "0" || text === "false") return { kind: "boolean", text: "false" };
  return { kind: "error", text };
}

/** Type `d`: an ISO 8601 day, time or both; fractions of seconds are cut off. */
function isoDate(text: string): PlainCell {
  const match = /^(?=.)(\d{4}-\d{2}-\d{2})?(?:(?:^|T)(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/.exec(text);
  const [, day, time = "00:00:00"] = match ?? [];
  const seconds = time.length === 5 ? `${time}:00` : time;
  const isMoment = match !== null && !Number.isNaN(Date.parse(`${day ?? "1970-01-01"}T${seconds}Z`));
  if (!isMoment) return { kind: "error", text };
  if (day === undefined) return { kind: "date", text: seconds };
  return { kind: "date", text: seconds === "00:00:00" ? day : `${day}T${seconds}` };
}
