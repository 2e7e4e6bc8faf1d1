/** The trial balance as CSV: a row per ledger account, a quantity column per cryptocurrency, and a total that is zero. */
import { stringify } from "csv-stringify/sync";
import type { TrialBalance } from "../ledger/index.ts";
import type { JournalFormat } from "./hledger-journal.ts";
import { textCell } from "./ledger-text.ts";

/** RFC 4180, UTF-8 without a byte order mark. Quantities have no total: they balance against the custody accounts, not here. */
export function trialBalanceCsv(
  { rows, debit, credit }: TrialBalance,
  { functionalCurrency }: Pick<JournalFormat, "functionalCurrency">,
): string {
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
    row.debit.toString(),
    row.credit.toString(),
    row.balance.toString(),
    functionalCurrency,
    ...cryptos.map(
      (currency) => row.quantities.find((one) => one.currency === currency)?.value.toString() ?? "",
    ),
  ]);
  const total = [
    "",
    "Total",
    debit.toString(),
    credit.toString(),
    debit.minus(credit).toString(),
    functionalCurrency,
    ...cryptos.map(() => ""),
  ];
  return stringify([header.map(textCell), ...body, total], { record_delimiter: "windows" });
}
