/** Amounts in workbooks, which store binary doubles and show 15 of their digits. */
import { Decimal } from "../money/index.ts";

/** A decimal of at most so many digits reads back the same. */
const DIGITS_MAX = 15;

/** Whether a workbook shows all digits of a decimal text, so that it can be stored as a number. */
export function isExactInWorkbook(amount: string): boolean {
  const digits = Decimal.of(amount)
    .normalized()
    .toString()
    .replace(/^-?0*\.?0*|\./g, "");
  return digits.length <= DIGITS_MAX;
}

/** Only for amounts that are `isExactInWorkbook`. */
export function asDouble(amount: string): number {
  return Number.parseFloat(amount);
}
