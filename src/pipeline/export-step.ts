/** Issues the next numbered export batch: what was posted and never handed out, in every format, each file whole. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../context/files.ts";
import { hledgerJournal } from "../exports/hledger-journal.ts";
import { ledgerCsv } from "../exports/ledger-csv.ts";
import { ledgerTables } from "../exports/ledger-table.ts";
import { trialBalanceCsv } from "../exports/trial-balance-csv.ts";
import { trialBalance } from "../ledger/index.ts";
import { issueExportBatch, listEntriesToExport, nextExportNumber } from "../store/ledger-entries.ts";
import { aloneOrFault, stillAlone } from "./sending/alone.ts";
import { openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ExportReport {
  readonly number: number;
  readonly entries: number;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/**
 * Undefined when nothing is new. The files are written before the batch is marked as issued: a run that dies between the
 * two writes the same files, with the same bytes, again. Another process would write other files under the same number: throws
 * EXPORT_UNDER_WAY while it does.
 */
export function exportStep(workplace: Workplace): Promise<ExportReport | undefined> {
  return aloneOrFault(workplace.store, "ledger-export", (store) => issueNext({ ...workplace, store }));
}

async function issueNext(workplace: Workplace): Promise<ExportReport | undefined> {
  const { store, context, config, scales } = workplace;
  const entries = await store.read(() => listEntriesToExport());
  if (entries.length === 0) return undefined;
  const number = await store.read(() => nextExportNumber());
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const exportNumber = String(number).padStart(6, "0");
  const stem = join(config.folders.ledger, exportNumber);
  const texts: readonly (readonly [path: string, text: string])[] = [
    [`${stem}-journal.csv`, ledgerCsv(entries, format)],
    [`${stem}-journal.hledger`, hledgerJournal(entries, format)],
    [`${stem}-trial-balance.csv`, trialBalanceCsv(trialBalance(entries), format)],
    ...config.ledger.exports.flatMap((table) =>
      ledgerTables(entries, table, exportNumber, format).map((text, index) => {
        const part = index === 0 ? "" : `.${index + 1}`;
        return [`${stem}-${table.name}${part}.${table.extension}`, text] as const;
      }),
    ),
  ];
  await openFolders(workplace, "ledger");
  // Whoever stood still may find that another process has written files under this number meanwhile.
  await stillAlone(store);
  for (const [path, text] of texts) await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, text));
  const files = texts.map(([path]) => path);
  await store.write(() =>
    issueExportBatch(
      { number, issuedAt: context.clock.now(), files },
      entries.map(({ entryId }) => entryId),
    ),
  );
  return { number, entries: entries.length, files };
}
