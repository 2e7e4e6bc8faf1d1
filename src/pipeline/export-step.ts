/**
 * Issues the next numbered export batch: all entries posted and not exported yet, in every configured format, each file
 * written whole.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeForGood, writeOnce, writeWhole } from "../context/files.ts";
import { hledgerJournal } from "../exports/hledger-journal.ts";
import { ledgerCsv } from "../exports/ledger-csv.ts";
import { ledgerTables } from "../exports/ledger-table.ts";
import { trialBalanceCsv } from "../exports/trial-balance-csv.ts";
import { fault } from "../faults/index.ts";
import { trialBalance } from "../ledger/index.ts";
import type { JournalEntry } from "../model/index.ts";
import { beginExportBatch, endExportBatch, listEntriesIssued, nextExport } from "../store/ledger-entries.ts";
import { aloneOrFault, stillAlone } from "./sending/alone.ts";
import { openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ExportReport {
  readonly number: number;
  readonly entries: number;
  /** Absolute paths, also for a batch that an earlier process had begun. */
  readonly files: readonly string[];
}

/**
 * Issues the next export batch; undefined when there is nothing new. The entries of a batch are stored before its files
 * are written: a run that dies in between writes the same entries under the same number again, even if more were posted
 * meanwhile. Throws EXPORT_UNDER_WAY while another process exports.
 */
export function exportStep(workplace: Workplace): Promise<ExportReport | undefined> {
  return aloneOrFault(workplace.store, "ledger-export", async (store) => {
    const first = await issueNext({ ...workplace, store });
    if (first?.wasBegun !== true) return first?.report;
    const second = await issueNext({ ...workplace, store });
    if (second === undefined) return first.report;
    return { ...second.report, files: [...first.report.files, ...second.report.files] };
  });
}

/**
 * Writes the missing files of an issued batch: lost ones, and formats configured since. Existing files are left alone.
 * Throws EXPORT_UNKNOWN, and EXPORT_UNDER_WAY.
 */
export function exportAgainStep(workplace: Workplace, number: number): Promise<ExportReport> {
  return aloneOrFault(workplace.store, "ledger-export", async (store) => {
    const entries = await store.read(() => listEntriesIssued(number));
    if (entries.length === 0) throw fault("EXPORT_UNKNOWN", { number });
    await openFolders(workplace, "ledger");
    const missing = textsOf(workplace, number, entries).filter(([path]) => !existsSync(path));
    for (const [path, text] of missing) await writeOnce(path, (temporary) => writeFile(temporary, text));
    return { number, entries: entries.length, files: missing.map(([path]) => path) };
  });
}

interface Issued {
  readonly report: ExportReport;
  /** Whether an earlier process began this batch without ending it. */
  readonly wasBegun: boolean;
}

async function issueNext(workplace: Workplace): Promise<Issued | undefined> {
  const { store, context } = workplace;
  const { number, entries, begun } = await store.read(() => nextExport());
  if (entries.length === 0) return undefined;
  const texts = textsOf(workplace, number, entries);
  const files = texts.map(([path]) => path);
  await openFolders(workplace, "ledger");
  // If this process was suspended, another may have written files under this number meanwhile.
  await stillAlone(store);
  // Files of another configuration: their entries are in the new files as well.
  for (const path of begun ?? []) if (!files.includes(path)) await removeForGood(path);
  const ids = entries.map(({ entryId }) => entryId);
  await store.write(() => beginExportBatch({ number, issuedAt: context.clock.now(), files }, ids));
  for (const [path, text] of texts) await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, text));
  await store.write(() => endExportBatch(number, context.clock.now()));
  return { report: { number, entries: entries.length, files }, wasBegun: begun !== undefined };
}

/** Each file's absolute path and full text. Throws if an ERP's table cannot hold an entry. */
function textsOf(
  { config, scales }: Workplace,
  number: number,
  entries: readonly JournalEntry[],
): (readonly [path: string, text: string])[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const exportNumber = String(number).padStart(6, "0");
  const stem = join(config.folders.ledger, exportNumber);
  return [
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
}
