/**
 * What retention removed, and what it must leave because an open matter needs it. References, digests, file hashes,
 * destinations and the record are never removed, so that everything that was sent in stays known.
 */
import { fault, type Where } from "../faults/index.ts";
import { type Day, dayIn, ENDED_PAYOUT_STATES, type Instant, type RetentionKind } from "../model/index.ts";
import { all, first, insertRows, objects, run, sql, type Transaction } from "./sql.ts";

/** Something that was removed, or is about to be. */
export interface Removal {
  readonly kind: RetentionKind;
  /** Within its folder; of an export file, its target and name. */
  readonly name: string;
  /** The hash of the sent file, the number of the night or the id of the export batch. */
  readonly about: string;
  /** Lower-case hex, of its bytes. */
  readonly sha256: string;
  readonly bytes: number;
  /** From when its days were counted. */
  readonly datedAt: Instant;
  readonly removedAt: Instant;
}

/** Stored before anything is removed, so that a process that dies in between leaves nothing unexplained. */
export function insertRemovals(removals: readonly Removal[]): Transaction<void> {
  return insertRows(
    "insert into removal (kind, name, about, sha256, bytes, dated_at, removed_at)",
    removals.map((one) => [
      ...[one.kind, one.name, one.about, one.sha256, one.bytes, one.datedAt, one.removedAt],
    ]),
    sql`on conflict (kind, name) do update set about = excluded.about, sha256 = excluded.sha256, bytes = excluded.bytes,
      dated_at = excluded.dated_at, removed_at = excluded.removed_at, recorded = null`,
  );
}

/** Of what could not be removed. */
export function* forgetRemovals(removals: readonly Pick<Removal, "kind" | "name">[]): Transaction<void> {
  for (const { kind, name } of removals)
    yield* run(sql`delete from removal where kind = ${kind} and name = ${name} and recorded is null`);
}

/** Those that the record does not have yet, also of a run whose process died. */
export function listUnrecorded(): Transaction<Removal[]> {
  return objects<Removal>(sql`select kind, name, about, sha256, bytes, dated_at, removed_at from removal
    where recorded is null order by kind, name`);
}

/** `entry`: the number of the entry in the record. */
export function* markRecorded(entry: number): Transaction<void> {
  yield* run(sql`update removal set recorded = ${entry} where recorded is null`);
}

/** When the last of these things was removed; undefined if none was. */
export function* removedAt(kind: RetentionKind, about: string): Transaction<Instant | undefined> {
  const row = yield* first<{ at: Instant | null }>(
    sql`select max(removed_at) as at from removal where kind = ${kind} and about = ${about}`,
  );
  return row?.at ?? undefined;
}

/** What somebody asks for that may have been removed; `what`: in words, for people. */
export interface Wanted {
  readonly kind: RetentionKind;
  readonly about: string;
  readonly what: string;
  /** In which the day of its removal is told. */
  readonly timeZone: string;
  readonly where?: Where;
}

/** Throws REMOVED_BY_RETENTION if retention removed what somebody asks for. */
export function* refuseRemoved({ kind, about, what, timeZone, where }: Wanted): Transaction<void> {
  const at = yield* removedAt(kind, about);
  if (at === undefined) return;
  throw fault("REMOVED_BY_RETENTION", { what, day: dayIn(timeZone, at), key: `${kind}Days` }, where);
}

/** A file that was sent in, of payments or of expected receipts. */
export interface SentFile {
  readonly sha256: string;
  readonly takenAt: Instant;
  readonly batchId?: string;
  /** The number of a file of expected receipts. */
  readonly expected?: number;
}

/** The files whose hashes begin with `prefix`. */
export function listSentBeginning(prefix: string): Transaction<SentFile[]> {
  // No digit of a hash sorts after "f".
  const end = `${prefix}g`;
  return objects<SentFile>(sql`
    select sha256, taken_at, batch_id, null as expected from file where sha256 >= ${prefix} and sha256 < ${end}
    union all select sha256, taken_at, null, id from expected_file where sha256 >= ${prefix} and sha256 < ${end}`);
}

/** The files whose answers' names begin with `stem`; several if a rejected file was corrected. */
export function listSentAnsweredAs(stem: string): Transaction<SentFile[]> {
  return objects<SentFile>(
    sql`select sha256, taken_at, batch_id, null as expected from file where answer_stem = ${stem} order by taken_at`,
  );
}

export function listExpectedAnsweredAs(stem: string): Transaction<SentFile[]> {
  return objects<SentFile>(
    sql`select sha256, taken_at, null as batch_id, id as expected from expected_file where answer_stem = ${stem}`,
  );
}

/** By what a matter of the books is judged. */
export interface BooksNow {
  /** Absent while every month is open. */
  readonly closedThrough?: Day | undefined;
  /** The targets that answer what they are handed. */
  readonly answering: readonly string[];
}

/**
 * Those of these batches that are not finished: a payment waits, is in doubt, refused and not paid again, or has a
 * payout that has not ended; both sides were not compared, or differ and nobody settled that; a movement is not booked,
 * or in a month that is not closed; or an ERP has not answered.
 */
export function* listOpenBatches(ids: readonly string[], books: BooksNow): Transaction<ReadonlySet<string>> {
  const { answering, closedThrough = "" } = books;
  const rows = yield* all<{ id: string }>(sql`select id from batch where id in ${ids} and (
    not exists (select 1 from compared_batch where batch_id = batch.id)
    or exists (select 1 from instruction where batch_id = batch.id and (
      standing in ('received', 'approved', 'sending', 'in doubt', 'held')
      or (standing = 'refused' and not exists (select 1 from again where earlier_id = instruction.id))
      or exists (select 1 from break_opening where closed_at is null and settled_at is null
        and (break_opening.reference = instruction.reference or break_opening.payout_id = instruction.payout_id))
      or (payout_id is not null and (
        not exists (select 1 from observed where kind = 'payout' and observed.id = payout_id
          and state in ${ENDED_PAYOUT_STATES})
        or (not exists (select 1 from compared where kind = 'payout' and compared.id = payout_id)
          and not exists (select 1 from break_opening where closed_at is null and settled_at is not null
            and (break_opening.reference = instruction.reference or break_opening.payout_id = instruction.payout_id)))
        or exists (select 1 from unposted where kind = 'payout' and unposted.id = payout_id)
        or exists (select 1 from held where kind = 'payout' and held.id = payout_id
          and until is null and settled_at is null))))))
    order by id`);
  const booked = yield* all<{ id: string }>(sql`select distinct batch_id as id
    from instruction join entry on source_id = payout_id where batch_id in ${ids} and (
      json_extract(body, '$.bookDay') > ${closedThrough}
      or not exists (select 1 from exported_entry where exported_entry.entry = entry.seq)
      or exists (select 1 from exported_entry join export_batch on export_batch.id = exported_entry.batch
        where exported_entry.entry = entry.seq and export_batch.target in ${answering} and excused_at is null
          and not exists (select 1 from erp_answer where erp_answer.batch = exported_entry.batch
            and erp_answer.entry = exported_entry.entry and trouble is null)))`);
  return new Set([...rows, ...booked].map(({ id }) => id));
}

/** Those of these deposits that are not booked, or in a month that is not closed, or about which a break is open. */
export function* listOpenDeposits(
  ids: readonly string[],
  { closedThrough = "" }: BooksNow,
): Transaction<ReadonlySet<string>> {
  const rows = yield* all<{
    id: string;
  }>(sql`select id from observed where kind = 'deposit' and id in ${ids} and (
    exists (select 1 from unposted where unposted.kind = 'deposit' and unposted.id = observed.id)
    or exists (select 1 from held where held.kind = 'deposit' and held.id = observed.id
      and until is null and settled_at is null)
    or exists (select 1 from break_opening where closed_at is null and settled_at is null
      and deposit_id = observed.id)
    or exists (select 1 from entry where source_id = observed.id
      and json_extract(body, '$.bookDay') > ${closedThrough}))`);
  return new Set(rows.map(({ id }) => id));
}

/** The days on which the breaks opened that are still open, as instants. */
export function* listOpenBreakTimes(): Transaction<Instant[]> {
  const rows = yield* all<{ at: Instant }>(
    sql`select opened_at as at from break_opening where closed_at is null and settled_at is null`,
  );
  return rows.map(({ at }) => at);
}

/** An export batch whose bytes are kept. */
export interface KeptExport {
  readonly id: number;
  readonly target: string;
  readonly number: number;
  readonly issuedAt: Instant;
  /** Its entries are in a month that is not closed, or not answered, or its files have not all been placed. */
  readonly isOpen: boolean;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
}

/** Those issued before an instant, oldest first. `bytes`: as they lie in the database. */
export function* listKeptExports(before: Instant, books: BooksNow): Transaction<KeptExport[]> {
  const { answering, closedThrough = "" } = books;
  const batches = yield* objects<Omit<KeptExport, "isOpen" | "files"> & { readonly isOpen: number }>(sql`
    select id, target, number, issued_at, case when placed_at is null
      or exists (select 1 from exported_entry join entry on entry.seq = exported_entry.entry
        where batch = export_batch.id and json_extract(body, '$.bookDay') > ${closedThrough})
      or (excused_at is null and target in ${answering} and exists (select 1 from exported_entry
        where batch = export_batch.id and not exists (select 1 from erp_answer
          where erp_answer.batch = exported_entry.batch and erp_answer.entry = exported_entry.entry
            and trouble is null)))
      then 1 else 0 end as is_open
    from export_batch where sealed_at is not null and issued_at < ${before}
      and exists (select 1 from issued_part where batch = export_batch.id) order by id`);
  const found: KeptExport[] = [];
  for (const batch of batches) {
    const files = yield* objects<KeptExport["files"][number]>(sql`select path, sha256,
        (select coalesce(sum(length(content)), 0) from issued_part
          where issued_part.batch = issued_file.batch and issued_part.file = issued_file.file) as bytes
      from issued_file where batch = ${batch.id} and sha256 is not null order by file`);
    const counted = files.map((file) => ({ ...file, bytes: Number(file.bytes) }));
    found.push({ ...batch, isOpen: Number(batch.isOpen) === 1, files: counted });
  }
  return found;
}

/** Removes the bytes of an export batch; the hashes of its files stay. */
export function* removeParts(batch: number): Transaction<void> {
  yield* run(sql`delete from issued_part where batch = ${batch}`);
}

/** Messages whose words are still there, and that have ended before an instant. */
export function* sumOldMessages(
  before: Instant,
): Transaction<{ readonly count: number; readonly bytes: number; oldest?: Instant; newest?: Instant }> {
  const [sum] = yield* objects<{ count: number; bytes: number; oldest?: Instant; newest?: Instant }>(
    sql`select count(*) as count, coalesce(sum(length(subject) + length(body) + length(recipient)), 0) as bytes,
      min(ended_at) as oldest, max(ended_at) as newest from notice_message where ended_at < ${before} and body <> ''`,
  );
  return { ...sum, count: Number(sum?.count ?? 0), bytes: Number(sum?.bytes ?? 0) };
}

/** Messages keep their keys, by which nobody is told twice. Returns how many were emptied. */
export function emptyOldMessages(before: Instant): Transaction<number> {
  return run(sql`update notice_message set recipient = '', subject = '', body = '', answer = null
    where ended_at < ${before} and body <> ''`);
}
