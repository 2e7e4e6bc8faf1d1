/** Number cells of a workbook: recovers the exact decimal that the person saw from the binary double in the file. */
import { type Problem, problem } from "../faults/index.ts";
import { escapedText } from "../model/shown-text.ts";
import { Decimal } from "../money/index.ts";

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
