/**
 * Issues export batches in four steps. The files are drafted under temporary names. The batch is begun with its
 * entries. The database keeps the bytes of the files, and the batch is sealed. Only then do the files get their
 * names. If a run dies after the batch was begun, the next run goes on from there.
 */
import { basename, join } from "node:path";
import { type Draft, listFolder, removeForGood } from "../../context/files.ts";
import { fault, type Problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import { present } from "../../model/present.ts";
import {
  addToBatch,
  beginAttempt,
  beginBatch,
  type ExportBatch,
  findBegunBatch,
  gotUpTo,
  listIssuedFiles,
  listUnplacedBatches,
  markPlaced,
  nextBatchNumber,
  noteGotUpTo,
  redateEntries,
  sealBatch,
} from "../../store/export-batches.ts";
import { ITEMS_PER_STATEMENT } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import { checkStillExclusive } from "../../workplace/exclusively.ts";
import { openFolders } from "../../workplace/folders.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { closedThroughNow } from "../ledger-policy.ts";
import { firstOpenDay } from "../rules/policy.ts";
import {
  batchWindows,
  DueEntries,
  type Journal,
  readJournal,
  unfittingSources,
  unissuedWindows,
} from "./journal.ts";
import { draftKept, keepFiles } from "./kept-files.ts";
import { type DraftedFiles, draftLedgerFiles, dropAll } from "./ledger-files.ts";
import { type ExportTarget, targetsNamed } from "./targets.ts";

export interface ExportAsked {
  /** "journal" or a name in `ledger.exports`; absent: every target. */
  readonly target?: string | undefined;
  /** Only entries booked in this month: "2026-10". */
  readonly period?: string | undefined;
}

export interface ExportReport {
  readonly target: string;
  /** Counts within the target. */
  readonly number: number;
  readonly entries: number;
  /** Absolute paths. */
  readonly files: readonly string[];
}

export interface Issued {
  readonly reports: readonly ExportReport[];
  /** Why entries that are due to a target are not in its batch. */
  readonly held: readonly Problem[];
}

/**
 * Issues the next batch of each target with due entries, or of the target asked for. Entries that the target's
 * files cannot hold (`held`) wait for a later batch, with all others of their payout or deposit. The caller must be
 * the only exporting process. Throws NAME_UNKNOWN for an unknown target, and EXPORT_FILES_UNKNOWN.
 */
export async function issueDue(workplace: Workplace, asked: ExportAsked): Promise<Issued> {
  const targets = await targetsNamed(workplace, asked.target);
  const placed = await placeSealed(workplace);
  await moveIntoOpenPeriods(workplace);
  const reports: ExportReport[] = [...placed];
  const held: Problem[] = [];
  for (const target of targets) {
    const begun = await workplace.store.read(() => findBegunBatch(target.name));
    if (begun !== undefined) reports.push(await finish(workplace, target, begun));
    const { report, held: others } = await issueNext(workplace, target, asked.period);
    if (report !== undefined) reports.push(report);
    held.push(...others);
  }
  return { reports, held };
}

/** Renders a batch again that an earlier process began and did not seal. Its entries are fixed. */
async function finish(workplace: Workplace, target: ExportTarget, batch: ExportBatch): Promise<ExportReport> {
  const { store, config } = workplace;
  const journal = await readJournal(workplace, batchWindows(store, batch.id));
  await openFolders(workplace, "ledger");
  const drafted = await draftLedgerFiles(workplace, target, batch, journal);
  return droppingOnFailure(drafted, async () => {
    await checkStillExclusive(store);
    await refuseUnknownFiles(config.folders.ledger, target.name, batch.number + 1, []);
    // Only a batch of version 0.1.0 has files before it is sealed. The new files contain the same entries.
    const written = await store.read(() => listIssuedFiles(batch.id));
    const names = new Set(drafted.files.map(({ path }) => basename(path)));
    for (const { path } of written)
      if (!names.has(basename(path))) await removeForGood(join(config.folders.ledger, basename(path)));
    return sealAndPlace(workplace, batch, journal, drafted);
  });
}

async function issueNext(
  workplace: Workplace,
  target: ExportTarget,
  period: string | undefined,
): Promise<{ readonly report: ExportReport | undefined; readonly held: readonly Problem[] }> {
  const { store, config, context } = workplace;
  const number = await store.read(() => nextBatchNumber(target.name));
  const unfitting = await unfittingSources(target, new DueEntries(workplace, target, period).windows());
  const held = [...unfitting.values()];
  const due = new DueEntries(workplace, target, period);
  const journal = await readJournal(workplace, due.windows(unfitting));
  if (journal.seqs.length === 0) {
    await noteReach(store, target.name, due.reach);
    return { report: undefined, held };
  }
  await openFolders(workplace, "ledger");
  const batch = { target: target.name, number, issuedAt: context.clock.now(), ...present({ period }) };
  const drafted = await draftLedgerFiles(workplace, target, batch, journal);
  const report = await droppingOnFailure(drafted, async () => {
    // If this process was suspended, another may have written files under this number meanwhile.
    await checkStillExclusive(store);
    const names = drafted.files.map(({ path }) => basename(path));
    await refuseUnknownFiles(config.folders.ledger, target.name, number, names);
    return sealAndPlace(workplace, { ...batch, id: await begin(store, batch, journal) }, journal, drafted);
  });
  await noteReach(store, target.name, due.reach);
  return { report, held };
}

/** Writes nothing on a night without new entries. */
async function noteReach(store: Store, target: string, reach: number): Promise<void> {
  if (reach > (await store.read(() => gotUpTo(target)))) await store.write(() => noteGotUpTo(target, reach));
}

async function droppingOnFailure<Result>(
  { drafts }: DraftedFiles,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await dropAll(drafts);
    throw error;
  }
}

/** Adds the first entries in the transaction that begins the batch, so that a batch is never empty. */
async function begin(
  store: Store,
  batch: Omit<ExportBatch, "id">,
  { seqs, shownDay }: Journal,
): Promise<number> {
  const [first = [], ...others] = chunks(seqs, ITEMS_PER_STATEMENT);
  const id = await store.write(function* () {
    const begun = yield* beginBatch(batch);
    yield* addToBatch({ ...batch, id: begun }, first, 1, shownDay);
    return begun;
  });
  let from = 1 + first.length;
  for (const some of others) {
    const at = from;
    await store.write(() => addToBatch({ ...batch, id }, some, at, shownDay));
    from += some.length;
  }
  return id;
}

async function sealAndPlace(
  { store, context }: Workplace,
  { id, target, number }: ExportBatch,
  { seqs }: Journal,
  { drafts, files }: DraftedFiles,
): Promise<ExportReport> {
  const attempt = await store.write(() => beginAttempt(id));
  await keepFiles(store, id, attempt, drafts);
  await store.write(() => sealBatch(id, attempt, files, context.clock.now()));
  await placeAll(store, id, drafts, context.clock.now());
  return { target, number, entries: seqs.length, files: files.map(({ path }) => path) };
}

async function placeAll(store: Store, id: number, drafts: readonly Draft[], at: string): Promise<void> {
  for (const draft of drafts) await draft.place();
  await store.write(() => markPlaced(id, at));
}

/** Names the files of sealed batches whose process died before doing so. */
async function placeSealed(workplace: Workplace): Promise<readonly ExportReport[]> {
  const { store, context, config } = workplace;
  const reports: ExportReport[] = [];
  for (const { id, target, number } of await store.read(() => listUnplacedBatches())) {
    await openFolders(workplace, "ledger");
    const files = await store.read(() => listIssuedFiles(id));
    const { seqs } = await readJournal(workplace, batchWindows(store, id));
    const drafts: Draft[] = [];
    for (const [index, file] of files.entries())
      drafts.push(await draftKept(store, id, index, file, join(config.folders.ledger, basename(file.path))));
    await placeAll(store, id, drafts, context.clock.now());
    reports.push({ target, number, entries: seqs.length, files: drafts.map(({ path }) => path) });
  }
  return reports;
}

/** If no export was possible for a while, a period may have been closed since its entries were posted. */
async function moveIntoOpenPeriods({ store, config }: Workplace): Promise<void> {
  const closedThrough = await store.read(() => closedThroughNow(config));
  if (closedThrough === undefined) return;
  for await (const window of unissuedWindows(store)) {
    const moved = window
      .map(({ entry }) => ({ ...entry, bookDay: firstOpenDay(entry.bookDay, { closedThrough }) }))
      .filter(({ bookDay }, index) => bookDay !== window[index]?.entry.bookDay);
    if (moved.length > 0) await store.write(() => redateEntries(moved));
  }
}

/**
 * Throws EXPORT_FILES_UNKNOWN if the folder holds a file of the target numbered `first` or higher, or one of
 * `names`: the database has lost batches, and exporting would overwrite files and issue entries again. Other files
 * in the folder are ignored.
 */
async function refuseUnknownFiles(
  folder: string,
  target: string,
  first: number,
  names: readonly string[],
): Promise<void> {
  const found = await listFolder(folder);
  const unknown = found
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
    .find((name) => names.includes(name) || isLater(name, target, first));
  if (unknown !== undefined) throw fault("EXPORT_FILES_UNKNOWN", { file: join(folder, unknown) });
}

/** "000042-netsuite.2.csv" belongs to the target netsuite. */
function isLater(name: string, target: string, first: number): boolean {
  const [, number = "0", stem = ""] = /^(\d{6,})-([a-z0-9-]+)\./.exec(name) ?? [];
  return stem === target && Number.parseInt(number, 10) >= first;
}
