/** Which entries the files of ERPs cannot hold: asked before money moves, before posting, and before a batch is issued. */
import type { JournalFormat } from "../../exports/cell-text.ts";
import { isProblem, type Problem } from "../../faults/index.ts";
import type { JournalEntry, LedgerTable } from "../../model/index.ts";
import { unfittingInBeancount } from "./beancount.ts";
import { ACCOUNTS, entryWriter, LOOKED_UP } from "./ledger-rows.ts";

/** Why one of the tables cannot hold an entry. `everyLetter`: also if a project or distribution would get a question mark. */
export function unfittingIn(
  tables: readonly LedgerTable[],
  format: JournalFormat,
  everyLetter = false,
): (entry: JournalEntry) => Problem | undefined {
  const exact = everyLetter ? LOOKED_UP : ACCOUNTS;
  const checks = tables.map((table) =>
    table.kind === "beancount" ? unfittingInBeancount(table) : unwritableIn(table, format, exact),
  );
  return (entry) => {
    for (const check of checks) {
      const found = check(entry);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

const SOME_PLACE = { exportNumber: "000000", position: 0 };

function unwritableIn(table: LedgerTable, format: JournalFormat, exact: ReadonlySet<string>) {
  const rowsOf = entryWriter(table, format, exact);
  return (entry: JournalEntry) => {
    const written = rowsOf(entry, SOME_PLACE, 0);
    return isProblem(written) ? written : undefined;
  };
}
