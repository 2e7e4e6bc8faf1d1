/** What the ledger files share: texts from outside made harmless for one cell or one line, and quantities at their scale. */
import { guardFormula } from "../model/index.ts";
import type { Amount, CurrencyScales } from "../money/index.ts";
import { oneLine } from "./one-line.ts";

export interface JournalFormat {
  /** ISO 4217; the currency of every debit and credit. */
  readonly functionalCurrency: string;
  readonly scales: CurrencyScales;
}

/** All digits of the currency, and never fewer than the quantity has: "0.05000000". */
export function quantityText({ currency, value }: Amount, scales: CurrencyScales): string {
  return value.rounded(Math.max(value.scale, scales.scaleOf(currency) ?? 0)).toString();
}

/** One line for a CSV text column, guarded against being taken for a formula. */
export function textCell(text: string | undefined): string {
  return guardFormula(oneLine(text ?? ""));
}
