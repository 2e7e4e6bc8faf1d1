/**
 * One format for each column: which mark is the decimal mark of its amounts, and in which order its days are
 * written. A mark is inferred only if one reading fits every cell. A grouping mark is read only if it is declared,
 * or if cells of the column show both marks.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type Cell, resultOf } from "../../model/grid.ts";
import { escapedText } from "../../model/shown-text.ts";
import { currencyShown, Decimal } from "../../money/index.ts";
import { currencyNamed, isOtherUnit } from "./units.ts";

/** The file's number format, by example; "auto": Paydrop infers it. */
export type NumberFormat = "auto" | DeclaredFormat;

const DECLARED = ["1,234.56", "1.234,56", "1 234,56", "1'234.56"] as const;
type DeclaredFormat = (typeof DECLARED)[number];

/** How the texts of a column are read: under a declared or proven format, or by a decimal mark alone. */
export type AmountFormat = DeclaredFormat | "." | ",";

export interface AmountReading {
  readonly value: Decimal;
  /** As written in the file, trimmed. */
  readonly text: string;
  readonly fromNumberCell: boolean;
  readonly isCalculated: boolean;
  /** The unit beside the digits, in the cell's text or shown by its number format. */
  readonly unit: string | undefined;
  /** How many decimals are shown, if the cell has more. */
  readonly decimals: number | undefined;
  /** For a text that a program wrote from a double: its value at the 15 digits without noise. */
  readonly withoutNoise?: Decimal;
}

/**
 * The value in a currency of `scale` decimals. A text with no more decimals than that is exact, whatever program
 * wrote it.
 */
export function valueAt({ value, withoutNoise }: AmountReading, scale: number): Decimal {
  return withoutNoise !== undefined && value.normalized().scale > scale ? withoutNoise : value;
}

/**
 * The format of a column's amounts; `isSemicolon`: semicolons separate the columns. `doubt` concerns every amount
 * of the column; `index` is a cell that shows it.
 */
export function amountFormatOf(
  cells: readonly Cell[],
  declared: NumberFormat,
  isSemicolon: boolean,
): { readonly format: AmountFormat; readonly doubt?: { readonly what: Problem; readonly index: number } } {
  if (declared !== "auto") return { format: declared };
  const points = new MarkedTexts(".");
  const commas = new MarkedTexts(",");
  const proven = new Set<DeclaredFormat>();
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index];
    const text = typeof cell === "string" ? marksOf(cell) : "";
    if (text === "") continue;
    points.add(text, index);
    commas.add(text, index);
    // Both marks of a declared format.
    if (/[ ']/.test(text) || (text.includes(".") && text.includes(",")))
      for (const format of DECLARED) if (FORMATS[format].proof.test(text)) proven.add(format);
  }
  const declaredByCells = DECLARED.find((format) => proven.has(format));
  if (declaredByCells !== undefined) return { format: declaredByCells };
  const [format, own] = commas.count > points.count ? ([",", commas] as const) : ([".", points] as const);
  const isMixed = points.count > 0 && commas.count > 0;
  const isUnclear =
    own.grouped !== undefined && (isMixed || (!own.isProven && (format === "," || isSemicolon)));
  if (!isUnclear && !(isMixed && points.count === commas.count)) return { format };
  const { text, index } = own.grouped ?? own.first ?? { text: "", index: -1 };
  return { format, doubt: { what: problem("AMOUNT_FORMATS_MIXED", { text }), index } };
}

/** What the amounts of a column with one mark show about it; `index`: the position of a cell. */
class MarkedTexts {
  count = 0;
  first: { readonly text: string; readonly index: number } | undefined;
  /** The first whose mark may separate groups of thousands. */
  grouped: { readonly text: string; readonly index: number } | undefined;
  /** Whether in some amount the mark can only be the decimal mark. */
  isProven = false;
  private readonly mark: string;

  constructor(mark: string) {
    this.mark = mark;
  }

  add(text: string, index: number): void {
    if (!text.includes(this.mark)) return;
    this.count += 1;
    this.first ??= { text, index };
    if (!GROUPED.test(text)) this.isProven = true;
    else this.grouped ??= { text, index };
  }
}

/** The number in a cell with a mark; "" for a cell that says nothing about the format. */
function marksOf(text: string): string {
  if (!/[.,]/.test(text) || text.length > AMOUNT_LENGTH_MAX) return "";
  const { digits } = withoutUnit(withPlainMarks(text.trim()));
  return /^\d[\d., ']*$|^[.,]\d+$/.test(digits) ? digits : "";
}

/** Marks that may separate groups of thousands. */
const GROUPED = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/** A longer amount is a mistake in any currency, and conversion to binary takes quadratic time. */
const AMOUNT_LENGTH_MAX = 100;

/**
 * The form in which programs write an amount below 0.0001 by default: 1e-05, 5.46E-06. Other exponents come from a
 * cell that shows rounded digits (5.00E-02, 1.2E+05), and Excel rounds to six.
 */
const TINY = /^[1-9](?:\.\d{0,3}[1-9])?e-(?:0?[5-9]|1\d)$/i;
const WITH_EXPONENT = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const NEGATIVE = /^(?:-.*\d.*|\(.*\d.*\)|.*\d-)$/;

const FORMATS = {
  ".": formatOf("", "."),
  ",": formatOf("", ","),
  "1,234.56": formatOf(",", "."),
  "1.234,56": formatOf(".", ","),
  "1 234,56": formatOf(" ", ","),
  "1'234.56": formatOf("'", "."),
} satisfies Record<AmountFormat, unknown>;

/**
 * `proof`: matches amounts that only this format can have. With a zero before its whole part a number may be a date
 * (01.05), or in a smaller unit (0000125050).
 */
function formatOf(thousands: string, point: "." | ",") {
  const grouped = `[1-9]\\d{0,2}(?:[${thousands}]\\d{3})+`;
  const shape = new RegExp(`^(?:0|[1-9]\\d*|${grouped})(?:[${point}]\\d+)?$`);
  return { thousands, point, shape, proof: new RegExp(`^${grouped}[${point}]\\d+$`) };
}

/** An exact amount. Its sign, scale and limit are checked once its currency is known. `cell` is not empty. */
export function readAmount(cell: Cell, format: AmountFormat): AmountReading | Problem {
  const plain = resultOf(cell);
  if (typeof plain === "string") return readAmountText(plain.trim(), format);
  if (plain.kind !== "number") return unreadable(plain.text);
  const isCalculated = cell !== plain;
  const value = readNumberCell(plain.text, isCalculated);
  if (!(value instanceof Decimal)) return value;
  return {
    value,
    text: isCalculated ? value.toString() : plain.text,
    fromNumberCell: true,
    isCalculated,
    unit: plain.unit,
    decimals: plain.decimals,
  };
}

/** Oracle and others write 0.05 as .05. */
function readAmountText(text: string, format: AmountFormat): AmountReading | Problem {
  if (text.length > AMOUNT_LENGTH_MAX) return unreadable(text);
  const { point, shape } = FORMATS[format];
  // Nearly every amount has the form of its column, without anything beside the digits.
  if (shape.test(text)) return amountOfShape(text, text, undefined, format);
  const { digits, unit } = withoutUnit(text);
  if (point === "." && TINY.test(digits)) return textReading(Decimal.of(digits), text, unit);
  const whole = withPlainMarks(digits).replace(/^(?=[.,]\d)/, "0");
  return shape.test(whole) ? amountOfShape(whole, text, unit, format) : refusal(text, whole, format);
}

/** The amount whose digits have the form of the format. */
function amountOfShape(
  digits: string,
  text: string,
  unit: string | undefined,
  format: AmountFormat,
): AmountReading {
  const { thousands, point } = FORMATS[format];
  const ungrouped = thousands === "" ? digits : digits.replaceAll(thousands, "");
  const value = Decimal.of(point === "," ? ungrouped.replace(",", ".") : ungrouped);
  const withoutNoise = digits.length > SPREADSHEET_DIGITS ? noiseless(value) : undefined;
  const reading = textReading(value, text, unit);
  return withoutNoise === undefined ? reading : { ...reading, withoutNoise };
}

function textReading(value: Decimal, text: string, unit: string | undefined): AmountReading {
  return { value, text, fromNumberCell: false, isCalculated: false, unit, decimals: undefined };
}

/**
 * 0.3 for 0.30000000000000004, which is how programs write the double that 0.1 + 0.2 gives; undefined for other
 * texts.
 */
function noiseless(value: Decimal): Decimal | undefined {
  if (digitsOf(value).length <= SPREADSHEET_DIGITS) return undefined;
  const text = value.normalized().toString();
  // One of two places that need a double: the question is whether the text is the shortest one of a double.
  const double = Number.parseFloat(text);
  const isOfDouble = String(double) === text;
  return isOfDouble ? Decimal.of(double.toPrecision(SPREADSHEET_DIGITS)).normalized() : undefined;
}

const WITH_UNIT =
  /^(?:([\p{L}\p{Sc}][\p{L}\p{Sc} ]{0,12}?)\s*)?([\d.,](?:.*[\d.,])?)(?:\s*([\p{L}\p{Sc}][\p{L}\p{Sc} ]{0,12}))?$/u;

/** "0.05 BTC" and "₿0.05" in parts. */
function withoutUnit(text: string): { readonly digits: string; readonly unit: string | undefined } {
  if (!/[\p{L}\p{Sc}]/u.test(text)) return { digits: text, unit: undefined };
  const [, before, digits = text, after] = WITH_UNIT.exec(text) ?? [];
  const unit = before === undefined || after === undefined ? (before ?? after ?? "") : "";
  if (isOtherUnit(unit)) return { digits, unit };
  const isCurrency = /^[A-Z][A-Z0-9]{2,9}$/.test(unit) || currencyNamed(unit) !== undefined;
  return isCurrency ? { digits, unit: currencyShown(unit) } : { digits: text, unit: undefined };
}

/** Normalizes the no-break and thin spaces and typographic apostrophes that spreadsheets use as thousands marks. */
function withPlainMarks(text: string): string {
  return /[^ -~]/.test(text) ? text.replace(/[\u00a0\u2009\u202f]/g, " ").replace(/\u2019/g, "'") : text;
}

function refusal(text: string, digits: string, format: AmountFormat): Problem {
  const shown = escapedText(text);
  if (WITH_EXPONENT.test(digits)) return problem("AMOUNT_HAS_EXPONENT", { text: shown });
  if (NEGATIVE.test(digits)) return problem("AMOUNT_NOT_POSITIVE", { text: shown });
  if (!Object.values(FORMATS).some(({ shape }) => shape.test(digits))) return unreadable(text);
  const example = format.length === 1 ? `0${format}05` : format;
  return problem("AMOUNT_FORMAT_DIFFERS", { text: shown, format: example });
}

function unreadable(text: string): Problem {
  return problem("AMOUNT_UNREADABLE", { text: escapedText(text) });
}

/** Whether a cell may be an amount, and whether it has decimals, under any format. */
export function amountShape(cell: Cell): "fraction" | "whole" | undefined {
  const plain = resultOf(cell);
  if (typeof plain !== "string") {
    if (plain.kind !== "number" || plain.unit === "%") return undefined;
    return /[.]|e-/i.test(plain.text) ? "fraction" : "whole";
  }
  if (plain === "" || plain.length > SHAPE_LENGTH_MAX || !/\d/.test(plain)) return undefined;
  const { digits } = withoutUnit(withPlainMarks(plain.trim()));
  if (/^\d+$/.test(digits)) return "whole";
  return NUMBER.test(digits) || TINY.test(digits) ? "fraction" : undefined;
}

/** The length of an amount with its unit. */
const SHAPE_LENGTH_MAX = 40;
const NUMBER = /^(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)?(?:[.,]\d+)?$/;

export type DayOrder = "day first" | "month first";

/**
 * The declared order, or the only one that fits every day of the column. Days that begin with the year or contain a
 * name are ignored.
 */
export function dayOrderOf(cells: readonly Cell[], declared: string | undefined): DayOrder | undefined {
  if (declared !== undefined)
    return /^M/i.test(declared) ? "month first" : /^D/i.test(declared) ? "day first" : undefined;
  let isDayFirst = true;
  let isMonthFirst = true;
  for (const cell of cells) {
    if (typeof cell !== "string" || !MAY_BE_LOCAL_DAY.test(cell)) continue;
    const [, left = "", , right = ""] = LOCAL_DAY.exec(cell.trim()) ?? [];
    const isDay = left !== "" && Math.min(+left, +right) <= 12 && Math.max(+left, +right) <= 31;
    if (isDay && +right > 12) isDayFirst = false;
    if (isDay && +left > 12) isMonthFirst = false;
  }
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? "day first" : "month first";
}

const MAY_BE_LOCAL_DAY = /^\s*\d{1,2}[./-]/;

/** Programs export a day with its midnight. */
export const LOCAL_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

/** The significant digits that a spreadsheet keeps; more are noise of the binary double. */
const SPREADSHEET_DIGITS = 15;
/** Programs write any double with this many digits. */
const DOUBLE_DIGITS = 17;
/** How much a double may differ from the typed number, as a part of its value. */
const DOUBLE_NOISE = Decimal.of("2e-16");

/**
 * The value of a number cell at the spreadsheet's 15 significant digits: a cell stored as 0.30000000000000004 is
 * 0.3. Refused if it has more digits than a double and differs from what the spreadsheet shows by more than a
 * double's noise. In a calculated number further digits are always noise.
 */
export function readNumberCell(text: string, isCalculated = false): Decimal | Problem {
  // A double keeps fifteen digits as they are written.
  if (text.length <= SPREADSHEET_DIGITS && PLAIN_NUMBER.test(text)) return Decimal.of(text).normalized();
  // One of two places that need a double: the question is which double the spreadsheet stored.
  const double = Number.parseFloat(text);
  // Oracle writes .05, and XML allows +0.05 and 5.
  const plain = text
    .replace(/^\+/, "")
    .replace(/^-?(?=\.)/, "$&0")
    .replace(/\.(?!\d)/, "");
  const written = Decimal.parse(plain);
  if (written === undefined || !Number.isFinite(double))
    return problem("AMOUNT_UNREADABLE", { text: escapedText(text) });
  const shown = Decimal.of(double.toPrecision(SPREADSHEET_DIGITS)).normalized();
  const noise = shown.absolute().times(DOUBLE_NOISE);
  const isDouble = digitsOf(written).replace(/0+$/, "").length <= DOUBLE_DIGITS;
  return isCalculated || isDouble || written.minus(shown).absolute().compare(noise) <= 0
    ? shown
    : problem("AMOUNT_PRECISION_LOST", { text: escapedText(text) });
}

const PLAIN_NUMBER = /^\d+(?:\.\d+)?$/;

/** The significant digits. */
function digitsOf(value: Decimal): string {
  return value.normalized().absolute().toString().replace(".", "").replace(/^0+/, "");
}

/** Whether the value uses all 15 digits that a spreadsheet keeps, so that more may have been typed. */
export function fillsNumberCell(value: Decimal): boolean {
  return digitsOf(value).length >= SPREADSHEET_DIGITS;
}
