/** The journal and the trial balance as CSV. Numbers are plain; text cells are guarded against formulas. */

import { dimensionsText, type JournalEntry, type JournalLine } from "../../model/index.ts";
import type { Decimal } from "../../money/index.ts";
import { csvOf, type JournalFormat, quantityText, textCell } from "../../writing/cell-text.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import { functionalScale } from "../rules/policy.ts";
import type { TrialBalance, TrialBalanceRow } from "../rules/trial-balance.ts";
import { inOneFile, type Rendering } from "./rendering.ts";

type CellOf = (entry: JournalEntry, line: JournalLine, format: JournalFormat) => string;

const COLUMNS: Readonly<Record<string, CellOf>> = {
  entryId: ({ entryId }) => textCell(entryId),
  bookDate: ({ bookDay }) => bookDay,
  documentDate: ({ documentDay }) => documentDay,
  accountCode: (_entry, { account }) => textCell(account.code),
  accountName: (_entry, { account }) => textCell(account.name),
  debit: (_entry, { debit }) => debit?.toString() ?? "",
  credit: (_entry, { credit }) => credit?.toString() ?? "",
  currency: (_entry, _line, { functionalCurrency }) => functionalCurrency,
  quantity: (_entry, { quantity }, { scales }) =>
    quantity === undefined ? "" : quantityText(quantity, scales),
  quantityCurrency: (_entry, { quantity }) => textCell(quantity?.currency),
  reference: ({ reference }) => textCell(reference),
  project: (_entry, { project }) => textCell(project),
  distribution: (_entry, { distribution }) => textCell(distribution),
  memo: (_entry, { memo }) => textCell(memo),
  txHash: ({ txHash }) => textCell(txHash),
  sourceId: ({ sourceId }) => textCell(sourceId),
  dimensions: (_entry, { dimensions }) => textCell(dimensionsText(dimensions)),
  party: (_entry, { party }) => textCell(party?.id),
};

/** RFC 4180, UTF-8 without a byte order mark, ISO days. */
export function ledgerCsv(format: JournalFormat): Rendering {
  const cells = Object.values(COLUMNS);
  const rowsOf = (entry: JournalEntry) =>
    entry.lines.map((line) => cells.map((cellOf) => cellOf(entry, line, format)));
  return inOneFile("journal.csv", csvOf([Object.keys(COLUMNS)]), (entries) => {
    for (const entry of entries) checkBalance(entry);
    return csvOf(entries.flatMap(rowsOf));
  });
}

type Column = readonly [header: string, cellOf: (row: TrialBalanceRow) => string, total: string];

/**
 * A row per ledger account, a quantity column per cryptocurrency, and a total of zero. Quantities have no total,
 * because custody accounts balance them, not this file.
 */
export function trialBalanceCsv({ rows, debit, credit }: TrialBalance, format: JournalFormat): string {
  const { functionalCurrency, scales } = format;
  const fiat = (value: Decimal) => value.rounded(functionalScale(format)).toString();
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
  return csvOf([header, ...body, total]);
}
