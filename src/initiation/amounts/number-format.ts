/**
 * Parses amounts as people type them, under a declared number format or none. Exact or refused; independent of the
 * currency.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { escapedText } from "../../model/shown-text.ts";
import { Decimal } from "../../money/index.ts";

/** The file's number format, by example; "auto" accepts only plain digits with a decimal point. */
export type NumberFormat = "auto" | DeclaredFormat;

type DeclaredFormat = "1,234.56" | "1.234,56" | "1 234,56" | "1'234.56";

/** A longer amount is a mistake in any currency, and conversion to binary takes quadratic time. */
const AMOUNT_LENGTH_MAX = 100;

const PLAIN = /^\d+(?:\.\d+)?$/;
/** Negative amounts as accountants write them: "(0.05)" and "0.05-". */
const OTHER_NEGATIVE = /^(?:\(([^()]+)\)|([^-]+)-)$/;
/**
 * How programs write an amount below 0.0001 on their own account: 1e-05, 5.46E-06. Other exponents stand for a cell that
 * shows rounded digits (5.00E-02, 1.2E+05), and Excel rounds to six.
 */
const TINY = /^[1-9](?:\.\d{0,3}[1-9])?e-(?:0?[5-9]|1\d)$/i;
const WITH_EXPONENT = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;

interface Marks {
  readonly thousands: RegExp;
  readonly point: "." | ",";
  readonly shape: RegExp;
}

const FORMATS: Readonly<Record<DeclaredFormat, Marks>> = {
  "1,234.56": { thousands: /,/g, point: ".", shape: /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/ },
  "1.234,56": { thousands: /\./g, point: ",", shape: /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/ },
  "1 234,56": { thousands: / /g, point: ",", shape: /^(?:\d+|[1-9]\d{0,2}(?: \d{3})+)(?:,\d+)?$/ },
  "1'234.56": { thousands: /'/g, point: ".", shape: /^(?:\d+|[1-9]\d{0,2}(?:'\d{3})+)(?:\.\d+)?$/ },
};

/**
 * Parses a text amount, which must be trimmed. Under "auto" the only mark is a decimal point: thousands marks and
 * decimal commas are refused, naming their possible readings. Oracle and others write 0.05 as .05.
 */
export function readAmountText(text: string, format: NumberFormat): Decimal | Problem {
  if (text.length > AMOUNT_LENGTH_MAX) return unreadable(text);
  const whole = text.replace(/^(?=[.,]\d)/, "0");
  if (TINY.test(text) && isPointDecimal(format)) return Decimal.of(text);
  if (format === "auto") return PLAIN.test(whole) ? Decimal.of(whole) : refusal(text);
  const value = readingIn(format, withPlainMarks(whole));
  if (value !== undefined) return value;
  const refused = refusal(text);
  const isNumber = refused.code === "AMOUNT_SEPARATOR_UNDECLARED" || refused.code === "AMOUNT_AMBIGUOUS";
  if (!isNumber && !PLAIN.test(text)) return refused;
  return problem("AMOUNT_FORMAT_DIFFERS", { text: escapedText(text), format });
}

function isPointDecimal(format: NumberFormat): boolean {
  return format === "auto" || FORMATS[format].point === ".";
}

/** The number of a text with marks, if all formats that can read it agree; otherwise undefined. */
export function onlyReading(text: string): Decimal | undefined {
  if (text.length > AMOUNT_LENGTH_MAX || PLAIN.test(text)) return undefined;
  const [only, another] = readingsOf(withPlainMarks(text));
  return only === undefined || another !== undefined ? undefined : Decimal.of(only);
}

/** What a plain text amount would be if points marked thousands: 1234 for "1.234". */
export function readingWithPointsAsThousands(text: string): Decimal | undefined {
  // A quick test for every row: a thousands point is followed by exactly three digits at the end.
  return text.charAt(text.length - 4) === "." ? readingIn("1.234,56", text) : undefined;
}

/** Whether a plain text amount contains a point. */
export function isWrittenWithPoint(text: string): boolean {
  return text.includes(".") && PLAIN.test(text);
}

function refusal(text: string): Problem {
  const shown = escapedText(text);
  if (WITH_EXPONENT.test(text)) return problem("AMOUNT_HAS_EXPONENT", { text: shown });
  const plainer = withPlainMarks(text)
    .replace(OTHER_NEGATIVE, "-$1$2")
    .replace(/^(-?)(?=[.,]\d)/, "$10");
  const readings = readingsOf(plainer.startsWith("-") ? plainer.slice(1) : plainer);
  const [first, second] = readings;
  if (first === undefined) return unreadable(text);
  if (plainer.startsWith("-")) return problem("AMOUNT_NOT_POSITIVE", { text: shown });
  if (second !== undefined) return problem("AMOUNT_AMBIGUOUS", { text: shown, first, second });
  return problem("AMOUNT_SEPARATOR_UNDECLARED", { text: shown, reading: first });
}

/** Every distinct number that some format reads from the text. */
function readingsOf(text: string): string[] {
  const readings = (Object.keys(FORMATS) as DeclaredFormat[])
    .map((format) => readingIn(format, text)?.toString())
    .filter((reading) => reading !== undefined);
  return [...new Set(readings)];
}

function readingIn(format: DeclaredFormat, text: string): Decimal | undefined {
  const { thousands, point, shape } = FORMATS[format];
  if (!shape.test(text)) return undefined;
  const digits = text.replace(thousands, "");
  return Decimal.of(point === "," ? digits.replace(",", ".") : digits);
}

/** Normalizes the no-break and thin spaces and typographic apostrophes that spreadsheets use as thousands marks. */
function withPlainMarks(text: string): string {
  return text.replace(/[\u00a0\u2009\u202f]/g, " ").replace(/\u2019/g, "'");
}

function unreadable(text: string): Problem {
  return problem("AMOUNT_UNREADABLE", { text: escapedText(text) });
}
