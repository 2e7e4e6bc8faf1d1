/** The journal as CSV, one line per posting: for people and for ERPs that map columns. Numbers are plain, texts are safe cells. */
import { stringify } from "csv-stringify/sync";
import { checkBalance, inJournalOrder } from "../ledger/index.ts";
import type { JournalEntry, JournalLine } from "../model/index.ts";
import type { JournalFormat } from "./hledger-journal.ts";
import { quantityText, textCell } from "./ledger-text.ts";

export const LEDGER_CSV_COLUMNS = [
  "entryId",
  "bookDate",
  "documentDate",
  "accountCode",
  "accountName",
  "debit",
  "credit",
  "currency",
  "quantity",
  "quantityCurrency",
  "reference",
  "project",
  "distribution",
  "memo",
  "txHash",
  "sourceId",
] as const;

/** RFC 4180, UTF-8 without a byte order mark, ISO days; the same entries in any order give the same text. Throws LEDGER_UNBALANCED. */
export function ledgerCsv(entries: readonly JournalEntry[], format: JournalFormat): string {
  for (const entry of entries) checkBalance(entry);
  const rows = inJournalOrder(entries).flatMap((entry) =>
    entry.lines.map((line) => rowOf(entry, line, format)),
  );
  return stringify([LEDGER_CSV_COLUMNS, ...rows], { record_delimiter: "windows" });
}

function rowOf(entry: JournalEntry, line: JournalLine, format: JournalFormat): string[] {
  const { account, debit, credit, quantity } = line;
  return [
    textCell(entry.entryId),
    entry.bookDay,
    entry.documentDay,
    textCell(account.code),
    textCell(account.name),
    debit?.toString() ?? "",
    credit?.toString() ?? "",
    format.functionalCurrency,
    quantity === undefined ? "" : quantityText(quantity, format.scales),
    textCell(quantity?.currency),
    textCell(entry.reference),
    textCell(line.project),
    textCell(line.distribution),
    textCell(line.memo),
    textCell(entry.txHash),
    textCell(entry.sourceId),
  ];
}
