/** The trial balance as CSV: a row per ledger account, a quantity column per cryptocurrency, and a total of zero. */
import { stringify } from "csv-stringify/sync";
import type { TrialBalance, TrialBalanceRow } from "../ledger/index.ts";
import type { Decimal } from "../money/index.ts";
import { type JournalFormat, quantityText, textCell } from "./ledger-text.ts";

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
  const cryptos = [
    ...new Set(rows.flatMap(({ quantities }) => quantities.map(({ currency }) => currency))),
  ].sort();
  const header = [
    "accountCode",
    "accountName",
    "debit",
    "credit",
    "balance",
    "currency",
    ...cryptos.map((currency) => `quantity ${currency}`),
  ];
  const body = rows.map((row) => [
    textCell(row.code),
    textCell(row.name),
    fiat(row.debit),
    fiat(row.credit),
    fiat(row.balance),
    functionalCurrency,
    ...cryptos.map((currency) => moved(row, currency)),
  ]);
  const total = [
    "",
    "Total",
    fiat(debit),
    fiat(credit),
    fiat(debit.minus(credit)),
    functionalCurrency,
    ...cryptos.map(() => ""),
  ];
  return stringify([header.map(textCell), ...body, total], { record_delimiter: "windows" });
}
