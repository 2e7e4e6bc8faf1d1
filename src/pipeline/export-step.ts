/** Issues the next numbered export batch: all entries not exported yet, in every configured format. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, removeForGood, writeOnce, writeWhole } from "../context/files.ts";
import { questionsCsv } from "../exports/exceptions-csv.ts";
import { hledgerJournal } from "../exports/hledger-journal.ts";
import { ledgerCsv } from "../exports/ledger-csv.ts";
import { ledgerFile, ledgerTables } from "../exports/ledger-table.ts";
import { trialBalanceCsv } from "../exports/trial-balance-csv.ts";
import { fault } from "../faults/index.ts";
import { firstOpenDay, trialBalance } from "../ledger/index.ts";
import { applying } from "../model/applying.ts";
import type { JournalEntry } from "../model/index.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import { beginExportBatch, endExportBatch, listEntriesIssued, nextExport } from "../store/ledger-entries.ts";
import { checkStillExclusive, exclusivelyOrFault } from "./workplace/exclusively.ts";
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
 * meanwhile. Throws EXPORT_UNDER_WAY while another process exports; EXPORT_FILES_UNKNOWN, and what `checkAnchor` throws,
 * since a restored database would hand out again what it does not know of.
 */
export function exportStep(workplace: Workplace): Promise<ExportReport | undefined> {
  return exclusivelyOrFault(workplace.store, "ledger-export", async (store) => {
    await store.read(checkAnchor(anchorOf(workplace.config)));
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
  return exclusivelyOrFault(workplace.store, "ledger-export", async (store) => {
    const entries = await store.read(() => listEntriesIssued(number));
    if (entries.length === 0) throw fault("EXPORT_UNKNOWN", { number });
    await openFolders(workplace, "ledger");
    const missing = contentsOf(workplace, number, entries).filter(([path]) => !existsSync(path));
    for (const [path, content] of missing)
      await writeOnce(path, (temporary) => writeFile(temporary, content));
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
  const { number, entries: posted, begun } = await store.read(() => nextExport());
  if (posted.length === 0) return undefined;
  // A period may have been closed since they were posted, where no export was possible meanwhile.
  const redated =
    begun === undefined ? inOpenPeriods(posted, workplace.config.ledger) : new Map<string, JournalEntry>();
  const entries = posted.map((entry) => redated.get(entry.entryId) ?? entry);
  const contents = contentsOf(workplace, number, entries);
  const files = contents.map(([path]) => path);
  await openFolders(workplace, "ledger");
  // If this process was suspended, another may have written files under this number meanwhile.
  await checkStillExclusive(store);
  const isNew = begun === undefined;
  await refuseUnknownFiles(workplace.config.folders.ledger, isNew ? number : number + 1, isNew ? files : []);
  // Files of another configuration: their entries are in the new files as well.
  for (const path of begun ?? []) if (!files.includes(path)) await removeForGood(path);
  const ids = entries.map(({ entryId }) => entryId);
  await store.write(() =>
    beginExportBatch({ number, issuedAt: context.clock.now(), files }, ids, [...redated.values()]),
  );
  for (const [path, content] of contents)
    await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, content));
  await store.write(() => endExportBatch(number, context.clock.now()));
  return { report: { number, entries: entries.length, files }, wasBegun: begun !== undefined };
}

/** By id, the entries whose period has been closed, moved to the first open day. */
function inOpenPeriods(
  entries: readonly JournalEntry[],
  calendar: Workplace["config"]["ledger"],
): Map<string, JournalEntry> {
  const moved = entries
    .map((entry) => ({ ...entry, bookDay: firstOpenDay(entry.bookDay, calendar) }))
    .filter(({ bookDay }, index) => bookDay !== entries[index]?.bookDay);
  return new Map(moved.map((entry) => [entry.entryId, entry]));
}

/**
 * Throws EXPORT_FILES_UNKNOWN if the folder holds a journal numbered `first` or higher, or one of `files`: then the database
 * has lost batches, and files would be overwritten and entries issued again. Other files in the folder are ignored.
 */
async function refuseUnknownFiles(folder: string, first: number, files: readonly string[]): Promise<void> {
  const found = await listFolder(folder);
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  const unknown = names
    .toSorted()
    .find(
      (name) =>
        files.includes(join(folder, name)) || Number.parseInt(JOURNAL.exec(name)?.[1] ?? "0", 10) >= first,
    );
  if (unknown !== undefined) throw fault("EXPORT_FILES_UNKNOWN", { file: join(folder, unknown) });
}

/** Every batch has them: "000042-journal.csv" */
const JOURNAL = /^(\d{6,})-journal\.(?:csv|hledger)$/;

type Content = readonly [path: string, content: string | Buffer];

/** Each file's absolute path and whole content. Throws if an ERP's table cannot hold an entry. */
function contentsOf(
  { config, scales }: Workplace,
  number: number,
  entries: readonly JournalEntry[],
): Content[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  const exportNumber = String(number).padStart(6, "0");
  const stem = join(config.folders.ledger, exportNumber);
  const questions = questionsCsv(entries);
  return applying<Content>(
    [`${stem}-journal.csv`, ledgerCsv(entries, format)],
    [`${stem}-journal.hledger`, hledgerJournal(entries, format)],
    [`${stem}-trial-balance.csv`, trialBalanceCsv(trialBalance(entries), format)],
    questions !== undefined && [`${stem}-exceptions.csv`, questions],
    ...config.ledger.exports.flatMap((table) =>
      ledgerTables(entries, table, exportNumber, format).map((text, index) => {
        const part = index === 0 ? "" : `.${index + 1}`;
        return [`${stem}-${table.name}${part}.${table.extension}`, ledgerFile(text, table)] as const;
      }),
    ),
  );
}
