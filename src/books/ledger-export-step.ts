/**
 * Posts what has settled, issues the next numbered export batch (all entries not exported yet, in every configured
 * format), and writes exceptions.csv.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Draft, listFolder, removeForGood, writeWhole } from "../context/files.ts";
import { fault, type Problem } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import { checkStillExclusive, exclusivelyOrFault } from "../pipeline/workplace/exclusively.ts";
import { openFolders } from "../pipeline/workplace/folders.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import {
  addToExportBatch,
  beginExportBatch,
  endExportBatch,
  isExportWritten,
  type NextExport,
  nextExport,
  redateEntries,
} from "../store/ledger-entries.ts";
import { ITEMS_PER_STATEMENT } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { exportedWindows, type Journal, readJournal, unfittingSources } from "./exports/journal.ts";
import { draftLedgerFiles, dropAll } from "./exports/ledger-files.ts";
import { exceptionsCsv } from "./formats/exceptions-csv.ts";
import { type LedgerReport, postSettled } from "./posting/post-settled.ts";
import { firstOpenDay } from "./rules/policy.ts";

export interface LedgerExportReport {
  readonly ledger: LedgerReport;
  /** Absent if there was nothing new. */
  readonly issued: ExportReport | undefined;
  /** Absolute path of exceptions.csv. */
  readonly exceptions: string;
}

/** Throws UNDER_WAY, and what `postSettled`, `issueDue` and `writeExceptions` throw. */
export function ledgerExportStep(workplace: Workplace): Promise<LedgerExportReport> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const posted = await postSettled(alone);
    const { report: issued, held } = await issueDue(alone);
    const ledger = { ...posted, problems: [...posted.problems, ...held] };
    await checkStillExclusive(alone.store);
    // Last: the file may be open in a program and not replaceable, which must hold up nothing else.
    return { ledger, issued, exceptions: await writeExceptions(alone, ledger) };
  });
}

/**
 * Writes exceptions.csv: what the ledger files do not hold, or hold with a question. Rewritten by each run, so that what
 * was resolved disappears. Returns its absolute path. Throws OUTPUT_UNWRITABLE.
 */
export async function writeExceptions(
  workplace: Workplace,
  { problems, notBooked }: Pick<LedgerReport, "problems" | "notBooked">,
): Promise<string> {
  await openFolders(workplace, "ledger");
  const path = join(workplace.config.folders.ledger, "exceptions.csv");
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, exceptionsCsv(problems, notBooked)));
  return path;
}

export interface ExportReport {
  readonly number: number;
  readonly entries: number;
  /** Absolute paths, also for a batch that an earlier process had begun. */
  readonly files: readonly string[];
}

/** As `issueDue`, by itself. Throws UNDER_WAY while another process posts or exports. */
export async function exportStep(workplace: Workplace): Promise<ExportReport | undefined> {
  return (await exclusivelyOrFault(workplace, "ledger-export", issueDue)).report;
}

/**
 * Issues the next export batch; `report` is undefined when there is nothing new. The entries of a batch are stored before
 * its files are written: a run that dies in between writes the same entries under the same number again, even if more were
 * posted meanwhile. Entries that a file for an ERP cannot hold (`held`) wait for a later batch, with all others of their
 * payout or deposit. The caller is the only one who exports. Throws EXPORT_FILES_UNKNOWN, and what `checkAnchor` throws,
 * since a restored database would hand out again what it does not know of.
 */
async function issueDue(workplace: Workplace): Promise<Issued> {
  await workplace.store.read(checkAnchor(anchorOf(workplace.config)));
  const first = await issueNext(workplace);
  if (!first.wasBegun) return first;
  const second = await issueNext(workplace);
  const files = [first, second].flatMap(({ report }) => report?.files ?? []);
  const report = second.report ?? first.report;
  return { ...second, report: report && { ...report, files } };
}

/**
 * Writes the missing files of an issued batch: lost ones, and formats configured since. Existing files are left alone.
 * Throws NAME_UNKNOWN, LEDGER_CURRENCY_CHANGED, and UNDER_WAY.
 */
export function exportAgainStep(workplace: Workplace, number: number): Promise<ExportReport> {
  return exclusivelyOrFault(workplace, "ledger-export", async ({ store }) => {
    if (!(await store.read(() => isExportWritten(number)))) {
      const how = "Name a batch by the number that its files begin with: 42 for `000042-journal.csv`.";
      throw fault("NAME_UNKNOWN", { what: `issued export batch ${number}`, how });
    }
    await openFolders(workplace, "ledger");
    const journal = await readJournal({ ...workplace, store }, number);
    const drafts = await draftLedgerFiles(workplace, number, journal);
    try {
      const missing = drafts.filter(({ path }) => !existsSync(path));
      for (const draft of missing) await draft.placeOnce();
      return { number, entries: journal.seqs.length, files: missing.map(({ path }) => path) };
    } finally {
      await dropAll(drafts);
    }
  });
}

interface Issued {
  readonly report: ExportReport | undefined;
  readonly held: readonly Problem[];
  /** Whether an earlier process began this batch without ending it. */
  readonly wasBegun: boolean;
}

async function issueNext(workplace: Workplace): Promise<Issued> {
  const { store, config } = workplace;
  const next = await store.read(() => nextExport());
  const { number, begun } = next;
  const wasBegun = begun !== undefined;
  if (!wasBegun) await moveIntoOpenPeriods(store, config.ledger);
  const unfitting = wasBegun ? new Map<string, Problem>() : await unfittingSources(workplace);
  const held = [...unfitting.values()];
  const journal = await readJournal(workplace, begun && number, unfitting);
  if (journal.seqs.length === 0) return { report: undefined, held, wasBegun };
  await openFolders(workplace, "ledger");
  const drafts = await draftLedgerFiles(workplace, number, journal);
  try {
    await issue(workplace, next, journal, drafts);
  } catch (error) {
    await dropAll(drafts);
    throw error;
  }
  const files = drafts.map(({ path }) => path);
  return { report: { number, entries: journal.seqs.length, files }, held, wasBegun };
}

/** Stores which entries and files the batch has, and then gives the files their names. */
async function issue(
  { store, context, config }: Workplace,
  { number, begun }: NextExport,
  journal: Journal,
  drafts: readonly Draft[],
): Promise<void> {
  const files = drafts.map(({ path }) => path);
  // If this process was suspended, another may have written files under this number meanwhile.
  await checkStillExclusive(store);
  const isNew = begun === undefined;
  await refuseUnknownFiles(config.folders.ledger, isNew ? number : number + 1, isNew ? files : []);
  // Files of another configuration: their entries are in the new files as well.
  for (const path of begun ?? []) if (!files.includes(path)) await removeForGood(path);
  const [first = [], ...others] = chunks(journal.seqs, ITEMS_PER_STATEMENT);
  await store.write(() => beginExportBatch({ number, issuedAt: context.clock.now(), files }, first));
  for (const some of others) await store.write(() => addToExportBatch(number, some));
  for (const draft of drafts) await draft.place();
  await store.write(() => endExportBatch(number, context.clock.now()));
}

/** A period may have been closed since its entries were posted, where no export was possible meanwhile. */
async function moveIntoOpenPeriods(store: Store, calendar: Workplace["config"]["ledger"]): Promise<void> {
  if (calendar.closedThrough === undefined) return;
  for await (const window of exportedWindows(store, undefined)) {
    const moved = window
      .map(({ entry }) => ({ ...entry, bookDay: firstOpenDay(entry.bookDay, calendar) }))
      .filter(({ bookDay }, index) => bookDay !== window[index]?.entry.bookDay);
    if (moved.length > 0) await store.write(() => redateEntries(moved));
  }
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
