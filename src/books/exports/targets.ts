/** What export batches are issued for: the journal, which everybody has, and the ERPs of `ledger.exports`. */
import type { JournalFormat } from "../../exports/cell-text.ts";
import type { Problem } from "../../faults/index.ts";
import { fault } from "../../faults/index.ts";
import type { Day, JournalEntry, LedgerTable } from "../../model/index.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import { beancountJournal } from "../formats/beancount.ts";
import { questionsCsv } from "../formats/exceptions-csv.ts";
import { hledgerJournal } from "../formats/hledger-journal.ts";
import { ledgerCsv, trialBalanceCsv } from "../formats/ledger-csv.ts";
import { ledgerTable, type TableBatch } from "../formats/ledger-table.ts";
import { ledgerWorkbook } from "../formats/ledger-workbook.ts";
import { inOneFile, type Rendering } from "../formats/rendering.ts";
import { unfittingIn } from "../formats/unfitting.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";

export interface ExportTarget {
  /** "journal", or the name in `ledger.exports`: "netsuite". */
  readonly name: string;
  /** Who has imported a file of this form, in their own words; absent: nobody that we know of. */
  readonly confirmedBy?: string | undefined;
  /** Entries of earlier days are none of its business: the ERP has them from elsewhere. */
  readonly since?: Day | undefined;
  /** `balance`: of all entries of the batch. */
  renderings(batch: TableBatch, balance: TrialBalance): readonly Rendering[];
  /** Why its files cannot hold an entry; absent: they hold any. */
  readonly unfitting?: (entry: JournalEntry) => Problem | undefined;
}

export const JOURNAL_TARGET = "journal";

export function targetsOf({ config, scales }: Workplace): readonly ExportTarget[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const journal: ExportTarget = {
    name: JOURNAL_TARGET,
    confirmedBy: "hledger and ledger, which read it in Paydrop's own tests",
    renderings: (_batch, balance) => [
      ledgerCsv(format),
      hledgerJournal(balance, format),
      inOneFile("trial-balance.csv", trialBalanceCsv(balance, format), () => ""),
      questionsCsv(),
    ],
  };
  const others = config.ledger.exports.map((table) => ({
    name: table.name,
    confirmedBy: table.confirmedBy,
    since: table.since,
    renderings: (batch: TableBatch, balance: TrialBalance) => [renderingOf(table, batch, balance, format)],
    unfitting: unfittingIn([table], format),
  }));
  return [journal, ...others];
}

function renderingOf(
  table: LedgerTable,
  batch: TableBatch,
  balance: TrialBalance,
  format: JournalFormat,
): Rendering {
  if (table.kind === "beancount") return beancountJournal(table, batch.exportNumber, balance, format);
  return table.kind === "workbook" ? ledgerWorkbook(table, batch, format) : ledgerTable(table, batch, format);
}

/** The target with this name, or all of them. Throws NAME_UNKNOWN. */
export function targetsNamed(workplace: Workplace, name: string | undefined): readonly ExportTarget[] {
  const all = targetsOf(workplace);
  if (name === undefined) return all;
  const found = all.filter((target) => target.name === name);
  if (found.length > 0) return found;
  const how = `There are: ${all.map((target) => target.name).join(", ")}. Others are configured in \`ledger.exports\`.`;
  throw fault("NAME_UNKNOWN", { what: `export target ${name}`, how });
}
