/** Converts one cell element (type attribute, value, style) to a `Cell`. Numbers keep their text from the file. */
import { present } from "../../model/present.ts";
import { type Cell, EMPTY_CELL, type PlainCell, type Unseen } from "../../model/row.ts";
import { Decimal } from "../../money/decimal.ts";
import { malformed } from "./archive.ts";
import { dateOfSerial } from "./date-serial.ts";
import { decodeEscapes } from "./escapes.ts";
import type { ShownDigits } from "./number-formats.ts";
import { RUN_STYLES } from "./run-styles.ts";
import { type CellStyle, isSpecial, styleOf } from "./styles.ts";
import type { Workbook } from "./workbook.ts";

/** A `<c>` element as written in the file. */
export interface CellSource {
  /** Attribute `t`; "n" if it has none. */
  readonly type: string;
  /** Attribute `s`; 0 if it has none. */
  readonly styleIndex: number;
  /** Text of `<v>`; undefined without the element. */
  readonly value: string | undefined;
  /** Joined text of `<is>`; undefined without the element. */
  readonly inlineText: string | undefined;
  /** Styles of the runs in `<is>`, as in run-styles.ts. */
  readonly runStyles: number;
  /** Text of `<f>`; undefined without the element. A member of a shared formula has an empty one. */
  readonly formula: string | undefined;
}

/**
 * White space alone is an empty cell. A formula that shows nothing has the result "", to distinguish it from a result
 * that was never saved. Fault: XLSX_MALFORMED for a shared string that does not exist and for types not in OOXML.
 */
export function cellValue(source: CellSource, workbook: Workbook, reference: () => string): Cell {
  const saved = plainValue(source, workbook, reference);
  if (source.formula === undefined) return saved.text.trim() === "" ? EMPTY_CELL : saved;
  // XlsxWriter saves 0 with every formula; other programs save results that are out of date.
  const value = workbook.isCalculatedAnew ? EMPTY_CELL : saved;
  return { kind: "formula", text: value.kind === "empty" ? `=${source.formula}` : value.text, value };
}

function plainValue(source: CellSource, workbook: Workbook, reference: () => string): PlainCell {
  const { type, runStyles } = source;
  const style = styleOf(workbook.styles, source.styleIndex);
  const cell = valueOfType(source, style, workbook, reference);
  if (type !== "s" && runStyles === 0 && !isSpecial(style)) return cell;
  const unseen = unseenOf(cell, source, style, workbook);
  return unseen === undefined || cell.kind === "empty" ? cell : { ...cell, unseen };
}

function unseenOf(
  { kind, text }: PlainCell,
  { runStyles, type, value }: CellSource,
  style: CellStyle,
  { sharedTexts }: Workbook,
): Unseen | undefined {
  if (style.unseen !== undefined) return style.unseen;
  // A long text, such as an address, fills its cell without being repeated.
  if (style.isRepeated && !/\p{L}/u.test(text)) return "repeated";
  if (kind !== "text") return undefined;
  if (style.hidesText) return "format";
  return unseenByRuns(type === "s" ? sharedTexts.runStylesAt(Number(value)) : runStyles, style);
}

/** Why part of a rich text is invisible in a cell of this style; undefined if all of it is visible. */
export function unseenByRuns(runStyles: number, { isColoured }: CellStyle): Unseen | undefined {
  if (runStyles === 0) return undefined;
  if ((runStyles & RUN_STYLES.white) !== 0 && !isColoured) return "colour";
  if ((runStyles & RUN_STYLES.tiny) !== 0) return "size";
  return (runStyles & RUN_STYLES.raised) === 0 ? undefined : "raised";
}

function valueOfType(
  source: CellSource,
  style: CellStyle,
  workbook: Workbook,
  reference: () => string,
): PlainCell {
  const { type, value, inlineText = "" } = source;
  if (type !== "inlineStr" && inlineText !== "")
    throw malformed(
      `the cell ${reference()} holds a text, but says that it is of type ${type}`,
      workbook.path,
    );
  switch (type) {
    case "s":
      return value === undefined ? EMPTY_CELL : sharedText(value, workbook, reference);
    case "str":
      return textCell(value);
    case "inlineStr":
      if (value !== undefined && value !== "" && value !== inlineText)
        throw malformed(`the cell ${reference()} holds a text that not every program shows`, workbook.path);
      return textCell(source.inlineText);
    case "n":
      return value === undefined || value.trim() === ""
        ? EMPTY_CELL
        : numberOrDate(value.trim().replace(LEADING_ZEROS, "$1"), style, workbook);
    case "b":
      return value === undefined ? EMPTY_CELL : booleanCell(value.trim());
    case "e":
      return { kind: "error", text: value ?? "#N/A" };
    case "d":
      return value === undefined ? EMPTY_CELL : isoDate(value.trim());
    default:
      throw malformed(`the cell ${reference()} is of the unknown type ${type}`, workbook.path);
  }
}

function textCell(text: string | undefined): PlainCell {
  return text === undefined ? EMPTY_CELL : { kind: "text", text: decodeEscapes(text) };
}

function sharedText(index: string, workbook: Workbook, reference: () => string): PlainCell {
  const { sharedTexts } = workbook;
  const text = /^\s*\d+\s*$/.test(index) ? sharedTexts.at(Number(index)) : undefined;
  if (text === undefined) {
    throw malformed(
      `the cell ${reference()} refers to shared text ${index}, which does not exist`,
      workbook.path,
    );
  }
  sharedTexts.setShown(Number(index));
  return { kind: "text", text };
}

/** Some programs write a number as it was typed; nobody sees the zeros. */
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
  return { kind: "date", text: date, ...(style.hidesDay ? { unseen: "format" } : {}) };
}

function numberCell(text: string, { unit, bareDigits: bare, shownDigits }: CellStyle): PlainCell {
  const digits = bare && wholeDigits(text);
  const isBare = digits === undefined || digits.length <= (bare?.max ?? 0);
  const decimals = decimalsShown(text, shownDigits, digits !== undefined, isBare);
  if (unit !== undefined || decimals !== undefined)
    return { kind: "number", text, ...present({ unit, decimals }) };
  const isPadded = digits !== undefined && digits.length < (bare?.min ?? 0);
  return { kind: "number", text: isPadded ? digits.padStart(bare?.min ?? 0, "0") : text };
}

/** 4208 for 4208, 4208.0 and 4.208E3; undefined for other than whole numbers. */
function wholeDigits(text: string): string | undefined {
  if (/^\d+$/.test(text)) return text;
  const digits = /^\d+\.0*$|e/i.test(text) ? Decimal.parse(text)?.normalized().toString() : undefined;
  return digits !== undefined && /^\d+$/.test(digits) ? digits : undefined;
}

/** How many decimals are shown; undefined if all are, unless a whole number is shown as more than its digits. */
function decimalsShown(
  text: string,
  shown: ShownDigits | undefined,
  isWhole: boolean,
  isBare: boolean,
): number | undefined {
  if (shown === undefined) return undefined;
  if (isWhole && !shown.isScientific) return isBare ? undefined : shown.decimals;
  const point = text.indexOf(".");
  const isPlain = !/e/i.test(text);
  if (isPlain && !shown.isScientific && (point < 0 || text.length - point - 1 <= shown.decimals))
    return undefined;
  if (!shown.isScientific) return shown.decimals;
  const [, whole = "", zeros = ""] = /^(\d*)\.?(0*)/.exec(digitsOf(text)) ?? [];
  const firstDigit = /[1-9]/.test(whole) ? 1 - whole.replace(/^0+/, "").length : zeros.length + 1;
  return shown.decimals + firstDigit;
}

function digitsOf(text: string): string {
  return Decimal.parse(text.replace(/^[+-]/, ""))?.toString() ?? "";
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
