/**
 * Lists files that are older than their retention period, by kind, and says which of them an open matter needs. The
 * period begins when a file was received or written, whichever is later, so that a file that somebody puts back
 * stays a while. Files that Paydrop did not write are not listed.
 */
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { closedThroughNow } from "../books/index.ts";
import { unlessGone } from "../context/files.ts";
import { expectedNow, isWaiting } from "../expected/index.ts";
import { listKeptAside } from "../files/intake/kept-aside.ts";
import { chunks } from "../model/chunks.ts";
import { dayIn, type Instant, type RetentionKind } from "../model/index.ts";
import { answeringTargets } from "../model/ledger-table.ts";
import { lastNight } from "../store/nights.ts";
import { listResultsDue } from "../store/results-due.ts";
import {
  type BooksNow,
  listExpectedAnsweredAs,
  listKeptExports,
  listOpenBatches,
  listOpenBreakTimes,
  listOpenDeposits,
  listSentAnsweredAs,
  listSentBeginning,
  type Removal,
  type SentFile,
} from "../store/retention.ts";
import type { Transaction } from "../store/sql.ts";
import type { Workplace } from "../workplace/workplace.ts";

/** A file or export that is older than its retention period. */
export interface OldFile extends Omit<Removal, "sha256" | "removedAt"> {
  /** Absent for contents of the database. */
  readonly path?: string;
  /** Only for contents of the database; computed later for files. */
  readonly sha256?: string;
  /** Whether an open matter needs it. */
  readonly isNeeded: boolean;
}

/** One lister per kind, except for messages, which have no files. */
export const OLD_FILES: Readonly<
  Record<Exclude<RetentionKind, "notices">, (workplace: Workplace, before: Instant) => Promise<OldFile[]>>
> = {
  archive: oldInArchive,
  answers: oldAnswers,
  suspected: oldSuspected,
  nights: oldNights,
  exports: oldExports,
};

/** Copies of sent files and of their totals files have names that begin with the file's hash. */
const ARCHIVED_NAME = /^([0-9a-f]{16})-/;

async function oldInArchive(workplace: Workplace, before: Instant): Promise<OldFile[]> {
  const found = await oldIn(workplace.config.folders.archive, before);
  const named = found.filter(({ name }) => ARCHIVED_NAME.test(name));
  return oldOfSentFiles(workplace, "archive", named, before, ({ name }) =>
    listSentBeginning(ARCHIVED_NAME.exec(name)?.[1] ?? ""),
  );
}

const ANSWER_NAME = /^(.+)\.(?:accepted|rejected|results|known|expected)(?:\.[A-Za-z0-9]+)+$/;
const EXPECTED = /^expected[\\/]/;

async function oldAnswers(workplace: Workplace, before: Instant): Promise<OldFile[]> {
  const found = await oldIn(workplace.config.folders.outbox, before);
  const named = found.filter(({ name }) => ANSWER_NAME.test(name));
  return oldOfSentFiles(workplace, "answers", named, before, function* ({ name }) {
    const stem = ANSWER_NAME.exec(name)?.[1] ?? "";
    const expected = EXPECTED.test(name) ? yield* listExpectedAnsweredAs(stem.replace(EXPECTED, "")) : [];
    return [...(yield* listSentAnsweredAs(stem)), ...expected];
  });
}

interface Found {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: Instant;
}

/** The files in a folder and below it that were written before an instant. */
async function oldIn(folder: string, before: Instant): Promise<Found[]> {
  if (!existsSync(folder)) return [];
  const found: Found[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const stats = entry.isFile() ? await unlessGone(stat(path)) : undefined;
    if (stats === undefined) continue;
    const writtenAt = stats.mtime.toISOString();
    if (writtenAt < before) found.push({ name: relative(folder, path), path, bytes: stats.size, writtenAt });
  }
  return found;
}

const FILES_TOGETHER = 200;

/** The files all of whose sent files were taken in before the instant. */
async function oldOfSentFiles(
  workplace: Workplace,
  kind: RetentionKind,
  files: readonly Found[],
  before: Instant,
  sentFor: (file: Found) => Transaction<readonly SentFile[]>,
): Promise<OldFile[]> {
  const { store } = workplace;
  const old: { readonly file: Found; readonly sent: readonly SentFile[] }[] = [];
  for (const some of chunks(files, FILES_TOGETHER))
    await store.read(function* () {
      for (const file of some) {
        const sent = yield* sentFor(file);
        if (sent.length > 0 && sent.every(({ takenAt }) => takenAt < before)) old.push({ file, sent });
      }
    });
  const allSent = old.flatMap(({ sent }) => sent);
  const isNeededBy = await openMatterTest(workplace, allSent);
  return old.map(({ file: { writtenAt, ...file }, sent }) => {
    const { takenAt = "", sha256: about = "" } = sent.at(-1) ?? {};
    const datedAt = takenAt > writtenAt ? takenAt : writtenAt;
    return { kind, ...file, datedAt, about, isNeeded: sent.some(isNeededBy) };
  });
}

const BATCHES_TOGETHER = 100;

/** Tests whether a sent file's batch or expectations are an open matter. */
async function openMatterTest(
  workplace: Workplace,
  sent: readonly SentFile[],
): Promise<(file: SentFile) => boolean> {
  const { store } = workplace;
  const books = await store.read(() => booksNow(workplace));
  const results = await store.read(() => listResultsDue(false));
  const open = new Set<string>(results.map(({ id }) => id));
  const batches = [...new Set(sent.flatMap(({ batchId }) => batchId ?? []))];
  for (const some of chunks(batches, BATCHES_TOGETHER))
    for (const id of await store.read(() => listOpenBatches(some, books))) open.add(id);
  const expected = sent.some((file) => file.expected !== undefined)
    ? await openExpected(workplace, books)
    : new Set<number>();
  return ({ batchId, expected: number }) =>
    (batchId !== undefined && open.has(batchId)) || (number !== undefined && expected.has(Number(number)));
}

/**
 * The numbers of files of expected receipts that wait for approval, have an amount still to come, or have a receipt
 * that is not booked in a closed month.
 */
async function openExpected(workplace: Workplace, books: BooksNow): Promise<ReadonlySet<number>> {
  const { files, standings } = await expectedNow(workplace);
  const open = new Set<number>();
  for (const file of files) if (isWaiting(workplace, file)) open.add(file.number);
  const deposits = standings.flatMap(({ deposit }) => deposit?.depositId ?? []);
  const unfinished = new Set<string>();
  for (const some of chunks(deposits, BATCHES_TOGETHER))
    for (const id of await workplace.store.read(() => listOpenDeposits(some, books))) unfinished.add(id);
  for (const { expectation, open: toCome, deposit } of standings)
    if (!toCome.isZero() || (deposit !== undefined && unfinished.has(deposit.depositId)))
      open.add(expectation.file);
  return open;
}

function* booksNow({ config }: Workplace): Transaction<BooksNow> {
  return {
    closedThrough: yield* closedThroughNow(config),
    answering: answeringTargets(config.ledger.exports),
  };
}

async function oldSuspected(workplace: Workplace, before: Instant): Promise<OldFile[]> {
  const kept = await listKeptAside(workplace);
  const old = kept.filter(({ since }) => since < before);
  return Promise.all(
    old.map(async ({ name, path, since }) => {
      const about = ARCHIVED_NAME.exec(name)?.[1] ?? name;
      const bytes = (await unlessGone(stat(path)))?.size ?? 0;
      return { kind: "suspected", name, path, about, datedAt: since, bytes, isNeeded: false } as const;
    }),
  );
}

const NIGHT_NAME = /^(\d{4}-\d{2}-\d{2})-(\d{6})\.[a-z]+$/;

/**
 * Reports of nights. Needed: the last night, every night in an open month, and every night on which a break began
 * that is still open.
 */
async function oldNights(workplace: Workplace, before: Instant): Promise<OldFile[]> {
  const { config, store } = workplace;
  const found = await oldIn(config.folders.nights, before);
  const { last, breaks, books } = await store.read(function* () {
    return {
      last: yield* lastNight(),
      breaks: yield* listOpenBreakTimes(),
      books: yield* booksNow(workplace),
    };
  });
  const days = new Set(breaks.map((at) => dayIn(config.ledger.timeZone, at)));
  return found.flatMap(({ name, path, bytes, writtenAt }) => {
    const [, day = "", number = ""] = NIGHT_NAME.exec(name) ?? [];
    if (day === "") return [];
    const isNeeded = Number(number) === last?.number || day > (books.closedThrough ?? "") || days.has(day);
    return [{ kind: "nights", name, path, bytes, about: number, datedAt: writtenAt, isNeeded } as const];
  });
}

async function oldExports(workplace: Workplace, before: Instant): Promise<OldFile[]> {
  const batches = await workplace.store.read(function* () {
    return yield* listKeptExports(before, yield* booksNow(workplace));
  });
  return batches.flatMap(({ id, target, issuedAt: datedAt, isOpen: isNeeded, files }) =>
    files.map(({ path, sha256, bytes }) => {
      const name = `${target} ${basename(path)}`;
      return { kind: "exports", name, about: String(id), sha256, bytes, datedAt, isNeeded } as const;
    }),
  );
}
