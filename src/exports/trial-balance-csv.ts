/** The trial balance as CSV: a row per ledger account, a quantity column per cryptocurrency, and a total of zero. */
import { stringify } from "csv-stringify/sync";
import type { TrialBalance, TrialBalanceRow } from "../ledger/index.ts";
import type { Decimal } from "../money/index.ts";
import { type JournalFormat, quantityText, textCell } from "./ledger-text.ts";

type Column = readonly [header: string, cellOf: (row: TrialBalanceRow) => string, total: string];

/**
 * RFC 4180, UTF-8 without a byte order mark. Quantities have no total: custody accounts balance them, not this file.
 */
export function trialBalanceCsv(
  { rows, debit, credit }: TrialBalance,
  { functionalCurrency, scales }: JournalFormat,
): string {
  const fiat = (value: Decimal) => value.rounded(scales.scaleOf(functionalCurrency) ?? 2).toString();
  const moved = ({ quantities }: TrialBalanceRow, currency: string) => {
    const quantity = quantities.find((amount) => amount.currency === currency);
    return quantity === undefined ? "" : quantityText(quantity, scales);
  };
  const cryptos = new Set(rows.flatMap(({ quantities }) => quantities.map(({ currency }) => currency)));
  const columns: readonly Column[] = [
    ["accountCode", (row) => textCell(row.code), ""],
    ["accountName", (row) => textCell(row.name), "Total"],
    ["debit", (row) => fiat(row.debit), fiat(debit)],
    ["credit", (row) => fiat(row.credit), fiat(credit)],
    ["balance", (row) => fiat(row.balance), fiat(debit.minus(credit))],
    ["currency", () => functionalCurrency, functionalCurrency],
    ...[...cryptos]
      .sort()
      .map((currency): Column => [`quantity ${currency}`, (row) => moved(row, currency), ""]),
  ];
  const body = rows.map((row) => columns.map(([, cellOf]) => cellOf(row)));
  const [header, total] = [columns.map(([name]) => textCell(name)), columns.map(([, , sum]) => sum)];
  return stringify([header, ...body, total], { record_delimiter: "windows" });
}
