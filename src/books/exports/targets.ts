/** The targets of export batches: the journal, which everybody has, and the ERPs of `ledger.exports`. */
import { fault, type Problem } from "../../faults/index.ts";
import type { Day, JournalEntry, LedgerTable } from "../../model/index.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import type { JournalFormat } from "../../writing/cell-text.ts";
import { openTargetNames } from "../chart/chart-file.ts";
import { HLEDGER, namesFor, type TargetNames } from "../chart/target-names.ts";
import { beancountJournal } from "../formats/beancount.ts";
import { questionsCsv } from "../formats/exceptions-csv.ts";
import { hledgerJournal } from "../formats/hledger-journal.ts";
import { ledgerCsv, trialBalanceCsv } from "../formats/ledger-csv.ts";
import { ledgerTable, type TableBatch } from "../formats/ledger-table.ts";
import { ledgerWorkbook } from "../formats/ledger-workbook.ts";
import {
  namedTables,
  refusedNameIn,
  refusedNamesInJournal,
  unfittingInTable,
} from "../formats/named-tables.ts";
import { inOneFile, type Rendering } from "../formats/rendering.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";

export interface ExportTarget {
  /** "journal", or the name in `ledger.exports`: "netsuite". */
  readonly name: string;
  /** Who has imported a file of this form, in their own words; absent if nobody is known. */
  readonly confirmedBy?: string | undefined;
  /** Entries of earlier days are left out, because the ERP has them from another source. */
  readonly since?: Day | undefined;
  /** `balance`: over all entries of the batch. */
  renderings(batch: TableBatch, balance: TrialBalance): readonly Rendering[];
  /** Returns why its files cannot hold an entry; absent if they hold any entry. */
  readonly unfitting?: (entry: JournalEntry) => Problem | undefined;
}

export const JOURNAL_TARGET = "journal";

/** `names`: the chart's names for the targets' accounts. */
export function targetsOf({ config, scales }: Workplace, names: TargetNames): readonly ExportTarget[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const refused = refusedNamesInJournal(names);
  const journal: ExportTarget = {
    name: JOURNAL_TARGET,
    confirmedBy: "hledger and ledger, which read it in Paydrop's own tests",
    renderings: (_batch, balance) => [
      ledgerCsv(format),
      hledgerJournal(balance, format, namesFor(names, HLEDGER)),
      inOneFile("trial-balance.csv", trialBalanceCsv(balance, format), () => ""),
      questionsCsv(),
    ],
    ...(refused.size > 0 && { unfitting: (entry: JournalEntry) => refusedNameIn(refused, entry) }),
  };
  const others = namedTables(config.ledger.exports, names, format).map(({ table, refusedNames }) => {
    const unfitting = unfittingInTable(table, format);
    return {
      name: table.name,
      confirmedBy: table.confirmedBy,
      since: table.since,
      renderings: (batch: TableBatch, balance: TrialBalance) => [renderingOf(table, batch, balance, format)],
      unfitting: (entry: JournalEntry) => refusedNameIn(refusedNames, entry) ?? unfitting(entry),
    };
  });
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

/** The journal, and each name in `ledger.exports`. */
export function targetNamesIn({ ledger }: Workplace["config"]): readonly string[] {
  return [JOURNAL_TARGET, ...ledger.exports.map(({ name }) => name)];
}

/**
 * The target with this name, or all of them. Throws NAME_UNKNOWN, and CHART_UNUSABLE if the chart names accounts
 * for targets.
 */
export async function targetsNamed(
  workplace: Workplace,
  name: string | undefined,
): Promise<readonly ExportTarget[]> {
  if (name !== undefined) refuseUnknownTarget(workplace, name);
  const all = targetsOf(workplace, await openTargetNames(workplace.config.ledger.chart));
  return name === undefined ? all : all.filter((target) => target.name === name);
}

/** Throws NAME_UNKNOWN. */
export function refuseUnknownTarget({ config }: Workplace, name: string): void {
  const all = targetNamesIn(config);
  if (all.includes(name)) return;
  const how = `There are: ${all.join(", ")}. Others are configured in \`ledger.exports\`.`;
  throw fault("NAME_UNKNOWN", { what: `export target ${name}`, how });
}
