/**
 * One format a column: which mark of the column's amounts is the decimal mark, and in which order its days are written.
 * A mark is inferred only where one reading fits every cell; a grouping mark is read only if it is declared, or if cells
 * of the column show both marks.
 */
import { type Problem, problem } from "../faults/index.ts";
import { type Cell, resultOf } from "../model/grid.ts";
import { escapedText } from "../model/shown-text.ts";
import { currencyShown, Decimal } from "../money/index.ts";
import { currencyNamed, isOtherUnit } from "./units.ts";

/** The file's number format, by example; "auto" is inferred. */
export type NumberFormat = "auto" | DeclaredFormat;

type DeclaredFormat = "1,234.56" | "1.234,56" | "1 234,56" | "1'234.56";

/** How the texts of a column are read: under a declared or proven format, or by a decimal mark alone. */
export type AmountFormat = DeclaredFormat | "." | ",";

export interface AmountReading {
  readonly value: Decimal;
  /** As written in the file, trimmed. */
  readonly text: string;
  readonly fromNumberCell: boolean;
  readonly isCalculated: boolean;
  /** The unit beside the digits: in the cell itself, or shown by its number format. */
  readonly unit: string | undefined;
  /** How many decimals are shown, if the cell holds more. */
  readonly decimals: number | undefined;
}

interface ColumnFormat {
  readonly format: AmountFormat;
  /** A doubt about every amount of the column; `index` is that of a cell which shows it. */
  readonly doubt?: { readonly what: Problem; readonly index: number };
}

/** The format of a column's amounts; `isSemicolon`: the columns are separated by semicolons. */
export function amountFormatOf(
  cells: readonly Cell[],
  declared: NumberFormat,
  isSemicolon: boolean,
): ColumnFormat {
  if (declared !== "auto") return { format: declared };
  const texts = cells.map((cell) => (typeof cell === "string" ? marksOf(cell) : ""));
  const proven = PROVING.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
  if (proven !== undefined) return { format: proven };
  const [points, commas] = [".", ","].map((mark) => texts.filter((text) => text.includes(mark)));
  const format = (commas?.length ?? 0) > (points?.length ?? 0) ? "," : ".";
  const ofFormat = texts.filter((text) => text.includes(format));
  const isMixed = texts.some((text) => text.includes(format === "," ? "." : ","));
  const isEven = isMixed && points?.length === commas?.length;
  const index = texts.findIndex((text) => text.includes(format) && GROUPED.test(text));
  const isProven = ofFormat.some((text) => !GROUPED.test(text));
  const isUnclear = index >= 0 && (isMixed || (!isProven && (format === "," || isSemicolon)));
  if (!isEven && !isUnclear) return { format };
  const at = index >= 0 ? index : texts.findIndex((text) => text !== "");
  return { format, doubt: { what: problem("AMOUNT_FORMATS_MIXED", { text: texts[at] ?? "" }), index: at } };
}

/** The number in a cell with a mark; "" for a cell that says nothing about the format. */
function marksOf(text: string): string {
  if (!/[.,]/.test(text) || text.length > AMOUNT_LENGTH_MAX) return "";
  const { digits } = withoutUnit(withPlainMarks(text.trim()));
  return /^\d[\d., ']*$|^[.,]\d+$/.test(digits) ? digits : "";
}

const PROVING: readonly (readonly [RegExp, DeclaredFormat])[] = [
  [/^[1-9]\d{0,2}(?:,\d{3})+\.\d+$/, "1,234.56"],
  [/^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/, "1.234,56"],
  [/^[1-9]\d{0,2}(?: \d{3})+,\d+$/, "1 234,56"],
  [/^[1-9]\d{0,2}(?:'\d{3})+\.\d+$/, "1'234.56"],
];

/** Marks that may separate groups of thousands. */
const GROUPED = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/;

/** A longer amount is a mistake in any currency, and conversion to binary takes quadratic time. */
const AMOUNT_LENGTH_MAX = 100;

const PLAIN = /^\d+(?:\.\d+)?$/;
/**
 * How programs write an amount below 0.0001 on their own account: 1e-05, 5.46E-06. Other exponents stand for a cell that
 * shows rounded digits (5.00E-02, 1.2E+05), and Excel rounds to six.
 */
const TINY = /^[1-9](?:\.\d{0,3}[1-9])?e-(?:0?[5-9]|1\d)$/i;
const WITH_EXPONENT = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const NEGATIVE = /^(?:-.*\d.*|\(.*\d.*\)|.*\d-)$/;

interface Marks {
  readonly thousands: RegExp;
  readonly shape: RegExp;
  readonly point: "." | ",";
}

const FORMATS: Readonly<Record<AmountFormat, Marks>> = {
  ".": { thousands: /(?!)/g, point: ".", shape: PLAIN },
  ",": { thousands: /(?!)/g, point: ",", shape: /^\d+(?:,\d+)?$/ },
  "1,234.56": { thousands: /,/g, point: ".", shape: /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/ },
  "1.234,56": { thousands: /\./g, point: ",", shape: /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/ },
  "1 234,56": { thousands: / /g, point: ",", shape: /^(?:\d+|[1-9]\d{0,2}(?: \d{3})+)(?:,\d+)?$/ },
  "1'234.56": { thousands: /'/g, point: ".", shape: /^(?:\d+|[1-9]\d{0,2}(?:'\d{3})+)(?:\.\d+)?$/ },
};

/** An exact amount; sign, scale and limit are checked once its currency is known. `cell` is not empty. */
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
  const { thousands, point, shape } = FORMATS[format];
  const { digits, unit } = withoutUnit(text);
  const reading = { text, fromNumberCell: false, isCalculated: false, unit, decimals: undefined };
  if (point === "." && TINY.test(digits)) return { ...reading, value: Decimal.of(digits) };
  const whole = withPlainMarks(digits).replace(/^(?=[.,]\d)/, "0");
  if (!shape.test(whole)) return refusal(text, whole, format);
  return { ...reading, value: Decimal.of(whole.replace(thousands, "").replace(",", ".")) };
}

const WITH_UNIT =
  /^(?:([\p{L}\p{Sc}][\p{L}\p{Sc} ]{0,12}?)\s*)?([\d.,](?:.*[\d.,])?)(?:\s*([\p{L}\p{Sc}][\p{L}\p{Sc} ]{0,12}))?$/u;

/** "0.05 BTC" and "₿0.05" in parts. */
function withoutUnit(text: string): { readonly digits: string; readonly unit: string | undefined } {
  if (!/[\p{L}\p{Sc}]/u.test(text)) return { digits: text, unit: undefined };
  const [, before, digits, after] = WITH_UNIT.exec(text) ?? [];
  const unit = before ?? after;
  if (digits === undefined || unit === undefined || (before !== undefined && after !== undefined))
    return { digits: text, unit: undefined };
  const isUnit = /^[A-Z][A-Z0-9]{2,9}$/.test(unit) || currencyNamed(unit) !== undefined || isOtherUnit(unit);
  return isUnit ? { digits, unit: currencyShown(unit) } : { digits: text, unit: undefined };
}

/** Normalizes the no-break and thin spaces and typographic apostrophes that spreadsheets use as thousands marks. */
function withPlainMarks(text: string): string {
  return /[^ -~]/.test(text) ? text.replace(/[\u00a0\u2009\u202f]/g, " ").replace(/\u2019/g, "'") : text;
}

function refusal(text: string, digits: string, format: AmountFormat): Problem {
  const shown = escapedText(text);
  if (WITH_EXPONENT.test(digits)) return problem("AMOUNT_HAS_EXPONENT", { text: shown });
  if (NEGATIVE.test(digits)) return problem("AMOUNT_NOT_POSITIVE", { text: shown });
  const isNumber = Object.values(FORMATS).some(({ shape }) => shape.test(digits));
  if (!isNumber) return unreadable(text);
  return problem("AMOUNT_FORMAT_DIFFERS", {
    text: shown,
    format: format.length === 1 ? `0${format}05` : format,
  });
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

/** Of an amount with its unit. */
const SHAPE_LENGTH_MAX = 40;
const NUMBER = /^(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)?(?:[.,]\d+)?$/;

export type DayOrder = "day first" | "month first";

/** The order declared, or the only one that fits every day of the column that begins with neither year nor name. */
export function dayOrderOf(cells: readonly Cell[], declared: string | undefined): DayOrder | undefined {
  if (declared !== undefined)
    return /^M/i.test(declared) ? "month first" : /^D/i.test(declared) ? "day first" : undefined;
  const days = cells.map((cell) => (typeof cell === "string" ? LOCAL_DAY.exec(cell.trim()) : null));
  const orders = days
    .filter((day) => day !== null)
    .map(([, left, , right]) => [Number(left), Number(right)] as const)
    .map(([left, right]) => [left <= 31 && right <= 12, left <= 12 && right <= 31] as const)
    .filter((fits) => fits.includes(true));
  const isDayFirst = orders.every(([fits]) => fits);
  const isMonthFirst = orders.every(([, fits]) => fits);
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? "day first" : "month first";
}

/** Programs export a day with its midnight. */
export const LOCAL_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

/** The significant digits that a spreadsheet keeps; more are noise of the binary double. */
const SPREADSHEET_DIGITS = 15;
/** The digits with which programs write doubles: XlsxWriter and others 16, many 17, Gnumeric those of an .xls 21. */
const WRITTEN_DIGITS = [16, 17, 18, 19, 20, 21];

/**
 * The value of a number cell at the spreadsheet's 15 significant digits: a cell stored as 0.30000000000000004 is 0.3.
 * Refused if the text is neither the shortest form of a double nor its form with 16 to 21 digits, because then no
 * spreadsheet wrote it. Gnumeric writes 64-bit forms of up to 21 digits: 0.05 as 0.0500000000000000000007. Of a calculated
 * number more digits are noise in any case.
 */
export function readNumberCell(text: string, isCalculated = false): Decimal | Problem {
  // The only place that needs a double: the question is which double the spreadsheet stored.
  const double = Number.parseFloat(text);
  if (Decimal.parse(plainNumber(text)) === undefined || !Number.isFinite(double))
    return problem("AMOUNT_UNREADABLE", { text: escapedText(text) });
  const shown = Decimal.of(double.toPrecision(SPREADSHEET_DIGITS)).normalized();
  const written = Decimal.of(plainNumber(text));
  const isForm = (form: string) => isSameIn64Bits(Decimal.of(form), written);
  return isCalculated ||
    isForm(String(double)) ||
    WRITTEN_DIGITS.some((digits) => isForm(double.toPrecision(digits)))
    ? shown
    : problem("AMOUNT_PRECISION_LOST", { text: escapedText(text) });
}

/** Normalizes .05 (written by Oracle), +0.05 and 5. (allowed by XML). */
function plainNumber(text: string): string {
  return text
    .replace(/^\+/, "")
    .replace(/^-?(?=\.)/, "$&0")
    .replace(/\.(?!\d)/, "");
}

/** Whether both are the same number in a 64-bit significand, whose last bit and last written digit were rounded. */
function isSameIn64Bits(form: Decimal, written: Decimal): boolean {
  if (form.equals(written)) return true;
  const bits = 64 - Math.floor(Math.log2(Number.parseFloat(form.absolute().toString())));
  if (!(bits > 0 && bits <= BITS_MAX)) return false;
  const halfOfLastBit = Decimal.of(`${5n ** BigInt(bits)}e-${bits}`);
  const halfOfLastDigit = Decimal.of(`5e-${written.scale + 1}`);
  return written.minus(form).absolute().compare(halfOfLastBit.plus(halfOfLastDigit)) <= 0;
}

/** Bound on the exponent: no amount is that small. */
const BITS_MAX = 200;

/** Whether the value uses all 15 digits that a spreadsheet keeps, so that more may have been typed. */
export function fillsNumberCell(value: Decimal): boolean {
  const digits = value.normalized().absolute().toString().replace(".", "").replace(/^0+/, "");
  return digits.length >= SPREADSHEET_DIGITS;
}
