/** Shared by the ledger files: texts from outside made safe for one cell or line, and quantities at their scale. */
import { guardFormula } from "../model/index.ts";
import type { Amount, CurrencyScales } from "../money/index.ts";
import { oneLine } from "./one-line.ts";

export interface JournalFormat {
  /** ISO 4217; the currency of every debit and credit. */
  readonly functionalCurrency: string;
  readonly scales: CurrencyScales;
}

/** All digits of the currency, or more if the quantity has more: "0.05000000". */
export function quantityText({ currency, value }: Amount, scales: CurrencyScales): string {
  return value.rounded(Math.max(value.scale, scales.scaleOf(currency) ?? 0)).toString();
}

/** A single line for a CSV cell, guarded so that no program takes it for a formula. */
export function textCell(text: string | undefined): string {
  return guardFormula(oneLine(text ?? ""));
}
