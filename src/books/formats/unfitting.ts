/**
 * Which entries an ERP's file cannot hold. Checked before money moves, before posting, and before a batch is
 * issued.
 */

import { isProblem, type Problem } from "../../faults/index.ts";
import type { JournalEntry, LedgerTable } from "../../model/index.ts";
import type { JournalFormat } from "../../writing/cell-text.ts";
import { unfittingInBeancount } from "./beancount.ts";
import { ACCOUNTS, entryWriter, LOOKED_UP } from "./ledger-rows.ts";

/**
 * Returns why the table cannot hold an entry. `everyLetter`: also if a project or distribution would get a question
 * mark.
 */
export function unfittingInTable(
  table: LedgerTable,
  format: JournalFormat,
  everyLetter = false,
): (entry: JournalEntry) => Problem | undefined {
  if (table.kind === "beancount") return unfittingInBeancount(table);
  const rowsOf = entryWriter(table, format, everyLetter ? LOOKED_UP : ACCOUNTS);
  return (entry) => {
    const written = rowsOf(entry, SOME_PLACE, 0);
    return isProblem(written) ? written : undefined;
  };
}

const SOME_PLACE = { exportNumber: "000000", position: 0 };
