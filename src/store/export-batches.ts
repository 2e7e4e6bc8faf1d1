/**
 * Export batches: the entries handed to each target, and the bytes of the files that handed them. An entry is in at
 * most one live batch of a target. A sealed batch never changes.
 */
import { invariant } from "../faults/index.ts";
import { type Day, type Instant, type JournalEntry, writeExact } from "../model/index.ts";
import { listPosted, type PostedEntry } from "./ledger-entries.ts";
import {
  column,
  countOf,
  finds,
  insertOne,
  insertRows,
  mapOf,
  objects,
  run,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

/** `number` counts within the target, from 1. */
interface BatchName {
  readonly target: string;
  readonly number: number;
}

export interface ExportBatch extends BatchName {
  readonly id: number;
  readonly issuedAt: Instant;
  /** The month to which its entries were limited: "2026-10". */
  readonly period?: string;
  /** When a controller decided not to wait for the ERP's answer. */
  readonly excusedAt?: Instant;
  readonly excusedBy?: string;
  readonly excusedReason?: string;
}

export interface IssuedFile {
  /** Absolute, as at the time of issue. */
  readonly path: string;
  /** Lower-case hex, of its bytes; absent for a batch whose bytes were not kept. */
  readonly sha256?: string;
  readonly size?: number;
}

/** At most `count` entries after `seq` that the target did not get yet, or refused. */
export function listDueAfter(target: string, seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where seq > ${seq} and not exists (
    select 1 from exported_entry where exported_entry.entry = entry.seq and target = ${target} and freed_at is null)
    order by seq limit ${count}`);
}

/**
 * The last entry up to which the target is known to have all entries. It may have later ones as well, so this is
 * where a search for missing entries begins: it would otherwise read every entry.
 */
export function gotUpTo(target: string): Transaction<number> {
  return countOf(sql`select entry from exported_until where target = ${target}`);
}

/** As `gotUpTo`, for entries that any target has. */
export function issuedUpTo(): Transaction<number> {
  return countOf(sql`select max(entry) from exported_until`);
}

/** Records that the target has all entries up to `entry`. */
export function* noteGotUpTo(target: string, entry: number): Transaction<void> {
  yield* run(sql`insert into exported_until (target, entry) values (${target}, ${entry})
    on conflict (target) do update set entry = excluded.entry`);
}

/** Frees an entry that the target has refused, so that a later batch hands it out again. `id`: of the hand-out. */
export function* freeEntry(target: string, id: number, entry: number, at: Instant): Transaction<void> {
  yield* run(sql`update exported_entry set freed_at = ${at} where id = ${id} and freed_at is null`);
  yield* run(
    sql`update exported_until set entry = ${entry - 1} where target = ${target} and entry >= ${entry}`,
  );
}

/** At most `count` entries after `seq` that no target has got. */
export function listUnissuedAfter(seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where seq > ${seq}
    and not exists (select 1 from exported_entry where exported_entry.entry = entry.seq)
    order by seq limit ${count}`);
}

export function listBatchEntriesAfter(batch: number, seq: number, count: number): Transaction<PostedEntry[]> {
  return listPosted(sql`where seq > ${seq}
    and exists (select 1 from exported_entry where exported_entry.entry = entry.seq and batch = ${batch})
    order by seq limit ${count}`);
}

/** Those of the entries `seqs` that the target got before and refused. */
export function* listRefusedBefore(
  target: string,
  seqs: readonly number[],
): Transaction<ReadonlySet<number>> {
  return new Set(
    yield* column<number>(sql`select entry from exported_entry
      where target = ${target} and entry in ${seqs} and freed_at is not null`),
  );
}

/** By entry, the book day under which a batch hands it out, if that is not the entry's own. */
export function listShownDays(batch: number): Transaction<ReadonlyMap<number, Day>> {
  return mapOf(
    sql`select entry, book_day from exported_entry where batch = ${batch} and book_day is not null`,
  );
}

/** Changes the book day of entries that were never exported. */
export function* redateEntries(redated: readonly JournalEntry[]): Transaction<void> {
  for (const entry of redated)
    yield* run(sql`update entry set body = ${writeExact(entry)} where id = ${entry.entryId}
      and not exists (select 1 from exported_entry where exported_entry.entry = entry.seq)`);
}

const BATCH = sql`select id, target, number, issued_at, period, excused_at, excused_by, excused_reason
  from export_batch`;

/** The batch of the target that an earlier process began and did not seal: its entries are fixed. */
export function* findBegunBatch(target: string): Transaction<ExportBatch | undefined> {
  return (yield* objects<ExportBatch>(sql`${BATCH} where target = ${target} and sealed_at is null`))[0];
}

/** Sealed batches whose files have not all been given their names. */
export function listUnplacedBatches(): Transaction<ExportBatch[]> {
  return objects(sql`${BATCH} where sealed_at is not null and placed_at is null order by id`);
}

export function* nextBatchNumber(target: string): Transaction<number> {
  return (yield* countOf(sql`select max(number) from export_batch where target = ${target}`)) + 1;
}

/** Begins a batch; `addToBatch` adds its entries. */
export function beginBatch({
  target,
  number,
  issuedAt,
  period,
}: Omit<ExportBatch, "id">): Transaction<number> {
  return insertOne(sql`insert into export_batch (target, number, issued_at, period, attempt)
    values (${target}, ${number}, ${issuedAt}, ${period}, 0) returning id`);
}

/**
 * `from`: the position of the first entry, counted from 1 in the order of the journal. `shownDay`: by entry, the
 * book day that the files show, if it is not the entry's own. Throws if the target already has one of the entries.
 */
export function* addToBatch(
  { id, target }: Pick<ExportBatch, "id" | "target">,
  seqs: readonly number[],
  from: number,
  shownDay: ReadonlyMap<number, Day>,
): Transaction<void> {
  yield* insertRows(
    "insert into exported_entry (batch, target, entry, position, book_day)",
    seqs.map((seq, index) => [id, target, seq, from + index, shownDay.get(seq)]),
  );
}

/**
 * Begins to store the files of a batch. Returns the number of this attempt, which keeps its parts apart from those
 * of a process that stalled and resumed.
 */
export function* beginAttempt(batch: number): Transaction<number> {
  const attempt = yield* single<number>(sql`update export_batch set attempt = attempt + 1
    where id = ${batch} and sealed_at is null returning attempt`);
  invariant(attempt !== undefined, `export batch ${batch} is sealed already`);
  return attempt;
}

/** `content`: base64 of a part's deflated bytes. */
export function* keepPart({ batch, attempt, file, part }: FilePart, content: string): Transaction<void> {
  yield* run(sql`insert into issued_part (batch, attempt, file, part, content)
    values (${batch}, ${attempt}, ${file}, ${part}, ${content})`);
}

interface FilePart {
  readonly batch: number;
  readonly attempt: number;
  /** Position of the file in its batch, and of the part in its file, from 0. */
  readonly file: number;
  readonly part: number;
}

/** Seals the batch, which never changes afterwards. Throws if another process has rendered it since. */
export function* sealBatch(
  batch: number,
  attempt: number,
  files: readonly Required<IssuedFile>[],
  at: Instant,
): Transaction<void> {
  const sealed = yield* run(sql`update export_batch set sealed_at = ${at}
    where id = ${batch} and attempt = ${attempt} and sealed_at is null`);
  invariant(sealed === 1, `export batch ${batch} was issued by another process`);
  yield* run(sql`delete from issued_part where batch = ${batch} and attempt <> ${attempt}`);
  yield* run(sql`delete from issued_file where batch = ${batch}`);
  yield* insertRows(
    "insert into issued_file (batch, file, path, sha256, size)",
    files.map(({ path, sha256, size }, file) => [batch, file, path, sha256, size]),
  );
}

/** Records that every file of a batch has been placed under its name. */
export function* markPlaced(batch: number, at: Instant): Transaction<void> {
  yield* run(sql`update export_batch set placed_at = ${at} where id = ${batch} and placed_at is null`);
}

/** The base64 of a part's deflated bytes; undefined after the last part. */
export function readPart({ batch, file, part }: Omit<FilePart, "attempt">): Transaction<string | undefined> {
  return single(sql`select content from issued_part
    where batch = ${batch} and file = ${file} and part = ${part}
      and attempt = (select attempt from export_batch where id = ${batch})`);
}

export function listIssuedFiles(batch: number): Transaction<IssuedFile[]> {
  return objects<IssuedFile>(
    sql`select path, sha256, size from issued_file where batch = ${batch} order by file`,
  );
}

/** Whether the bytes of every file are kept. Batches of earlier versions kept none. */
export function* isKept(batch: number): Transaction<boolean> {
  return !(yield* finds(sql`select 1 from issued_file where batch = ${batch} and sha256 is null`));
}

/** At most `count` sealed batches, newest first; `number`: only those with this number. */
export function* listExportBatches(
  count: number,
  number?: number,
): Transaction<(ExportBatch & { readonly files: readonly IssuedFile[] })[]> {
  const batches = yield* objects<ExportBatch>(sql`${BATCH}
    where sealed_at is not null and number = coalesce(${number}, number)
    order by issued_at desc, id desc limit ${count}`);
  const found = [];
  for (const batch of batches) found.push({ ...batch, files: yield* listIssuedFiles(batch.id) });
  return found;
}

export interface Excuse {
  readonly at: Instant;
  readonly person: string;
  readonly reason: string;
}

export function* excuseBatch(id: number, { at, person, reason }: Excuse): Transaction<void> {
  yield* run(sql`update export_batch
    set excused_at = ${at}, excused_by = ${person}, excused_reason = ${reason} where id = ${id}`);
}

/** The sealed batches with this number, of every target or of one. */
export function findBatches(number: number, target?: string): Transaction<ExportBatch[]> {
  return objects(sql`${BATCH} where number = ${number} and target = coalesce(${target}, target)
    and sealed_at is not null order by target`);
}

/** The batches that handed out an entry, oldest first. */
export function listBatchesOf(entryId: string): Transaction<HandedOut[]> {
  return objects(sql`select ${HANDED_OUT}
    where entry.id = ${entryId} and sealed_at is not null order by issued_at, export_batch.id`);
}

/** As `listBatchesOf`, of all entries about several payouts or deposits. */
export function listHandedOut(
  sourceIds: readonly string[],
): Transaction<(HandedOut & { readonly entryId: string })[]> {
  return objects(sql`select entry.id as entry_id, ${HANDED_OUT}
    where entry.source_id in ${sourceIds} and sealed_at is not null order by entry.seq, issued_at, export_batch.id`);
}

const HANDED_OUT = sql`export_batch.target, number, issued_at, position, freed_at
    from entry join exported_entry on exported_entry.entry = entry.seq
      join export_batch on export_batch.id = exported_entry.batch`;

interface HandedOut extends BatchName {
  readonly issuedAt: Instant;
  /** Its place in the batch, from 1; absent for a batch of an earlier version. */
  readonly position?: number;
  /** When the ERP refused it, so that a later batch hands it out again. */
  readonly freedAt?: Instant;
}

/** The ids of entries at this place in a batch, over all targets. */
export function listEntriesAt(number: number, position: number): Transaction<{ readonly entryId: string }[]> {
  return objects<{ entryId: string }>(sql`select distinct entry.id as entry_id
    from export_batch join exported_entry on batch = export_batch.id join entry on entry.seq = exported_entry.entry
    where number = ${number} and position = ${position} and sealed_at is not null order by entry.id`);
}

/** How many entries a batch has. */
export function countInBatch(batch: number): Transaction<number> {
  return countOf(sql`select count(*) from exported_entry where batch = ${batch}`);
}

/** The ids of at most `count` entries of a batch, in the order of its journal. */
export function listEntryIdsIn(batch: number, count: number): Transaction<string[]> {
  return column(sql`select entry.id as id
    from exported_entry join entry on entry.seq = exported_entry.entry
    where batch = ${batch} order by position, entry.seq limit ${count}`);
}
