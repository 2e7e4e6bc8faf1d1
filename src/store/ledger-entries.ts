/** Journal entries and export batches. An entry is written once, and an issued batch is never issued differently. */
import { invariant } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import { type Instant, type JournalEntry, readExact, writeExact } from "../model/index.ts";
import {
  all,
  countOf,
  finds,
  first,
  ITEMS_PER_STATEMENT,
  insertRows,
  objects,
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
  readonly postedAt: Instant;
}

/** At most `count` entries after `seq`, in the order of their posting. */
export function listEntriesAfter(seq: number, count: number): Transaction<PostedEntry[]> {
  return postedIn(sql`select seq, body, posted_at from entry where seq > ${seq} order by seq limit ${count}`);
}

/** As `listEntriesAfter`, of those in an export batch; `batch` undefined: of those in none. */
export function listExportedAfter(
  batch: number | undefined,
  seq: number,
  count: number,
): Transaction<PostedEntry[]> {
  if (batch === undefined)
    return postedIn(sql`select seq, body, posted_at from entry
      where export_batch is null and seq > ${seq} order by seq limit ${count}`);
  return postedIn(sql`select seq, body, posted_at from entry
    where export_batch = ${batch} and seq > ${seq} order by seq limit ${count}`);
}

export function listEntriesOf(seqs: readonly number[]): Transaction<PostedEntry[]> {
  return postedIn(sql`select seq, body, posted_at from entry where seq in ${seqs}`);
}

export function* firstEntry(): Transaction<JournalEntry | undefined> {
  return (yield* entriesIn(sql`select body from entry order by seq limit 1`))[0];
}

export function countEntries(): Transaction<number> {
  return countOf(sql`select count(*) as count from entry`);
}

/** Entries about a payout or deposit that was never seen. */
export function listEntriesOfUnseen(): Transaction<{ readonly id: string; readonly sourceId: string }[]> {
  return objects(sql`select id, source_id from entry
    where not exists (select 1 from observed where kind in ('payout', 'deposit') and observed.id = source_id) order by seq`);
}

export function isAnyEntryPosted(): Transaction<boolean> {
  return finds(sql`select 1 from entry limit 1`);
}

export function listEntriesAbout(sourceIds: readonly string[]): Transaction<JournalEntry[]> {
  return entriesIn(sql`select body from entry
    where source_id in ${sourceIds} order by seq`);
}

/** The payout or deposit that an entry books. */
export function* findSourceOfEntry(entryId: string): Transaction<string | undefined> {
  return (yield* first<{ source_id: string }>(sql`select source_id from entry where id = ${entryId}`))
    ?.source_id;
}

export interface ExportBatch {
  readonly number: number;
  readonly issuedAt: Instant;
  /** Absolute paths. */
  readonly files: readonly string[];
}

export interface NextExport {
  readonly number: number;
  /** Absolute paths of the files that an earlier process may have written of it; absent for a batch not begun. */
  readonly begun?: readonly string[];
}

/** The batch that was begun but not ended; otherwise a new one. */
export function* nextExport(): Transaction<NextExport> {
  const begun = yield* first<{ number: number; files: string }>(
    sql`select number, files from export_batch where written_at is null order by number limit 1`,
  );
  if (begun !== undefined) return { number: begun.number, begun: JSON.parse(begun.files) as string[] };
  const row = yield* first<{ last: number | null }>(sql`select max(number) as last from export_batch`);
  return { number: (row?.last ?? 0) + 1 };
}

/** At most `count` batches whose files were all written, newest first. */
export function* listExportBatches(count: number): Transaction<ExportBatch[]> {
  const batches = yield* objects<Omit<ExportBatch, "files"> & { readonly files: string }>(
    sql`select number, issued_at, files from export_batch where written_at is not null order by number desc limit ${count}`,
  );
  return batches.map((batch) => ({ ...batch, files: JSON.parse(batch.files) as string[] }));
}

/** Whether all files of a batch were written. */
export function isExportWritten(number: number): Transaction<boolean> {
  return finds(sql`select 1 from export_batch where number = ${number} and written_at is not null`);
}

/** Books entries that nobody has seen until now on another day than when they were posted. */
export function* redateEntries(redated: readonly JournalEntry[]): Transaction<void> {
  for (const entry of redated)
    yield* run(sql`update entry set body = ${writeExact(entry)}
      where id = ${entry.entryId} and export_batch is null`);
}

/**
 * Records, before the first file is written, the batch with its files and its first entries; `addToExportBatch` adds
 * the others. Throws if one of them is in another batch.
 */
export function* beginExportBatch(
  { number, issuedAt, files }: ExportBatch,
  seqs: readonly number[],
): Transaction<void> {
  const begun = yield* all(sql`insert into export_batch (number, issued_at, files)
    values (${number}, ${issuedAt}, ${JSON.stringify(files)})
    on conflict (number) do update set files = excluded.files where export_batch.written_at is null returning number`);
  invariant(begun.length === 1, `export batch ${number} is issued already`);
  yield* addToExportBatch(number, seqs);
}

/** Throws if an entry is in another batch. */
export function* addToExportBatch(number: number, seqs: readonly number[]): Transaction<void> {
  const added = yield* run(sql`update entry set export_batch = ${number}
    where (export_batch is null or export_batch = ${number}) and seq in ${seqs}`);
  invariant(added === seqs.length, `of ${seqs.length} entries ${added} were not exported before`);
}

/** Records that all files of a batch were written. */
export function* endExportBatch(number: number, at: Instant): Transaction<void> {
  yield* run(sql`update export_batch set written_at = ${at} where number = ${number} and written_at is null`);
}

function* entriesIn(statement: Statement): Transaction<JournalEntry[]> {
  return (yield* all<{ body: string }>(statement)).map(({ body }) => readExact<JournalEntry>(body));
}

function* postedIn(statement: Statement): Transaction<PostedEntry[]> {
  const rows = yield* all<{ seq: number; body: string; posted_at: Instant }>(statement);
  return rows.map(({ seq, body, posted_at: postedAt }) => ({
    seq,
    entry: readExact<JournalEntry>(body),
    postedAt,
  }));
}
