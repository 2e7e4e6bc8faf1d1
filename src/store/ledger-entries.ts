/** Journal entries and export batches. An entry is written once, and an issued batch is never issued differently. */
import { invariant } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import { type Instant, type JournalEntry, readExact, writeExact } from "../model/index.ts";
import {
  all,
  finds,
  first,
  ITEMS_PER_STATEMENT,
  insertRows,
  run,
  type Statement,
  sql,
  type Transaction,
} from "./sql.ts";

/** Stores each entry once. Throws if an id comes again with other content: entries are never edited. */
export function* insertEntries(entries: readonly JournalEntry[], at: Instant): Transaction<void> {
  for (const some of chunks(entries, ITEMS_PER_STATEMENT)) yield* insertSome(some, at);
}

function* insertSome(entries: readonly JournalEntry[], at: Instant): Transaction<void> {
  const ids = entries.map(({ entryId }) => entryId);
  const rows = yield* all<{ id: string; body: string }>(sql`select id, body from entry where id in ${ids}`);
  const known = new Map(rows.map(({ id, body }) => [id, body]));
  const written = entries.map((entry) => [entry.entryId, writeExact(entry), entry.sourceId, at] as const);
  for (const [id, body] of written)
    invariant((known.get(id) ?? body) === body, `entry ${id} was posted before with other content`);
  yield* insertRows(
    "insert into entry (id, body, source_id, posted_at)",
    written.filter(([id]) => !known.has(id)),
  );
}

export interface PostedEntry {
  readonly seq: number;
  readonly entry: JournalEntry;
}

/** At most `count` entries after `seq`, in the order of their posting. */
export function* listEntriesAfter(seq: number, count: number): Transaction<PostedEntry[]> {
  const rows = yield* all<{ seq: number; body: string }>(
    sql`select seq, body from entry where seq > ${seq} order by seq limit ${count}`,
  );
  return rows.map(({ seq, body }) => ({ seq, entry: readExact<JournalEntry>(body) }));
}

export function isAnyEntryPosted(): Transaction<boolean> {
  return finds(sql`select 1 from entry limit 1`);
}

export function listEntriesAbout(sourceIds: readonly string[]): Transaction<JournalEntry[]> {
  return entriesIn(sql`select body from entry
    where source_id in ${sourceIds} order by seq`);
}

export interface ExportBatch {
  readonly number: number;
  readonly issuedAt: Instant;
  /** Absolute paths. */
  readonly files: readonly string[];
}

export interface NextExport {
  readonly number: number;
  readonly entries: readonly JournalEntry[];
  /** Absolute paths of the files that an earlier process may have written of it; absent for a batch not begun. */
  readonly begun?: readonly string[];
}

/**
 * The batch that was begun but not ended, with its entries; otherwise a new one of all entries that are in no batch.
 */
export function* nextExport(): Transaction<NextExport> {
  const begun = yield* first<{ number: number; files: string }>(
    sql`select number, files from export_batch where written_at is null order by number limit 1`,
  );
  if (begun !== undefined) {
    const { number, files } = begun;
    const entries = yield* entriesIn(sql`select body from entry where export_batch = ${number} order by seq`);
    return { number, entries, begun: JSON.parse(files) as string[] };
  }
  const row = yield* first<{ last: number | null }>(sql`select max(number) as last from export_batch`);
  const entries = yield* entriesIn(sql`select body from entry where export_batch is null order by seq`);
  return { number: (row?.last ?? 0) + 1, entries };
}

/**
 * Records, before the first file is written, that the batch consists of exactly these entries. Throws if one of them is
 * in another batch. `redated`: those of them that are booked on another day than when they were posted, which nobody has
 * seen until now.
 */
export function* beginExportBatch(
  { number, issuedAt, files }: ExportBatch,
  entryIds: readonly string[],
  redated: readonly JournalEntry[],
): Transaction<void> {
  const begun = yield* all(sql`insert into export_batch (number, issued_at, files)
    values (${number}, ${issuedAt}, ${JSON.stringify(files)})
    on conflict (number) do update set files = excluded.files where export_batch.written_at is null returning number`);
  invariant(begun.length === 1, `export batch ${number} is issued already`);
  let issued = 0;
  for (const some of chunks(entryIds, ITEMS_PER_STATEMENT))
    issued += yield* run(sql`update entry set export_batch = ${number}
      where (export_batch is null or export_batch = ${number})
        and id in ${some}`);
  invariant(issued === entryIds.length, `of ${entryIds.length} entries ${issued} were not exported before`);
  for (const entry of redated) {
    yield* run(sql`update entry set body = ${writeExact(entry)} where id = ${entry.entryId}`);
  }
}

/** Records that all files of a batch were written. */
export function* endExportBatch(number: number, at: Instant): Transaction<void> {
  yield* run(sql`update export_batch set written_at = ${at} where number = ${number} and written_at is null`);
}

/** The entries of a batch whose files were all written; none for any other number. */
export function listEntriesIssued(number: number): Transaction<JournalEntry[]> {
  return entriesIn(sql`select body from entry where export_batch = ${number}
    and export_batch in (select number from export_batch where written_at is not null) order by seq`);
}

function* entriesIn(statement: Statement): Transaction<JournalEntry[]> {
  return (yield* all<{ body: string }>(statement)).map(({ body }) => readExact<JournalEntry>(body));
}
