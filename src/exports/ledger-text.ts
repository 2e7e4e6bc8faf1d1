/** What the ledger files share: texts from outside made harmless for one cell or one line, and quantities at their scale. */
import type { Amount, CurrencyScales } from "../money/index.ts";

/** All digits of the currency, and never fewer than the quantity has: "0.05000000". */
export function quantityText({ currency, value }: Amount, scales: CurrencyScales): string {
  return value.rounded(Math.max(value.scale, scales.scaleOf(currency) ?? 0)).toString();
}

/** One line: control and invisible characters and any white space become single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}

/** One line for a CSV text column; what a spreadsheet program would take for a formula begins with `'` (OWASP, CSV injection). */
export function textCell(text: string | undefined): string {
  const line = oneLine(text ?? "");
  return /^'*[=+\-@]/.test(line) ? `'${line}` : line;
}
