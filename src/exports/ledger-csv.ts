/** The journal as CSV, one row per line. Numbers are plain; text cells are guarded against formulas. */
import { stringify } from "csv-stringify/sync";
import { checkBalance } from "../ledger/index.ts";
import type { JournalEntry, JournalLine } from "../model/index.ts";
import { type JournalFormat, quantityText, textCell } from "./ledger-text.ts";
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

function csvOf(rows: readonly (readonly string[])[]): string {
  return stringify([...rows], { record_delimiter: "windows" });
}
