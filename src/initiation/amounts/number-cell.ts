/** Number cells of a workbook: which exact decimal the person saw, out of the binary double that the file keeps. */
import { type Problem, problem } from "../../faults/index.ts";
import { Decimal } from "../../money/index.ts";
import { escapedText } from "../shown-text.ts";

/** A spreadsheet shows and keeps so many significant digits; more are noise of the binary double. */
const SPREADSHEET_DIGITS = 15;
/** As programs write doubles: XlsxWriter and its kin with 16 digits, many others with 17. */
const WRITTEN_DIGITS = [16, 17];

/**
 * The value of a number cell at the spreadsheet's own 15 significant digits: a cell stored as 0.30000000000000004 is 0.3.
 * Refused where the text is neither the shortest form of a double nor that of 16 or 17 digits, since no spreadsheet wrote it then. Gnumeric
 * keeps those forms in 64 bits and writes up to 21 digits: 0.05 as 0.0500000000000000000007.
 */
export function readNumberCell(text: string): Decimal | Problem {
  const shown = readCalculatedNumber(text);
  if (!(shown instanceof Decimal)) return shown;
  const double = Number.parseFloat(text);
  const forms = [String(double), ...WRITTEN_DIGITS.map((digits) => double.toPrecision(digits))];
  const written = Decimal.of(plainNumber(text));
  return forms.some((form) => isSameIn64Bits(Decimal.of(form), written))
    ? shown
    : problem("AMOUNT_PRECISION_LOST", { text: escapedText(text) });
}

/** The same without that refusal, for a sum that a program calculated: Gnumeric's have the noise of 64 bits behind the digits that it shows. */
export function readCalculatedNumber(text: string): Decimal | Problem {
  // The one place where a double is wanted: the question is which double the spreadsheet held.
  const double = Number.parseFloat(text);
  if (Decimal.parse(plainNumber(text)) === undefined || !Number.isFinite(double))
    return problem("AMOUNT_UNREADABLE", { text: escapedText(text) });
  return Decimal.of(double.toPrecision(SPREADSHEET_DIGITS)).normalized();
}

/** Oracle writes .05, and XML allows +0.05 and 5. as well. */
function plainNumber(text: string): string {
  return text
    .replace(/^\+/, "")
    .replace(/^-?(?=\.)/, "$&0")
    .replace(/\.(?!\d)/, "");
}

/** Whether a significand of 64 bits keeps both as the same number: they differ by no more than half of its last bit. */
function isSameIn64Bits(form: Decimal, written: Decimal): boolean {
  if (form.equals(written)) return true;
  const bits = 64 - Math.floor(Math.log2(Number.parseFloat(form.absolute().toString())));
  if (!(bits > 0 && bits <= BITS_MAX)) return false;
  const halfOfLastBit = Decimal.of(`${5n ** BigInt(bits)}e-${bits}`);
  return written.minus(form).absolute().compare(halfOfLastBit) <= 0;
}

/** No amount is as small as its last bit would be. */
const BITS_MAX = 200;

/** Whether a number cell's value uses every digit that a spreadsheet keeps, so that more may have been typed. */
export function fillsNumberCell(value: Decimal): boolean {
  const digits = value.normalized().absolute().toString().replace(".", "").replace(/^0+/, "");
  return digits.length >= SPREADSHEET_DIGITS;
}
