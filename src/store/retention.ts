/**
 * Records what retention removed, and finds what it must keep because an open matter needs it. References, digests,
 * file hashes, destinations and the record are never removed, so that everything submitted stays known.
 */
import { fault, type Where } from "../faults/index.ts";
import { type Day, dayIn, ENDED_PAYOUT_STATES, type Instant, type RetentionKind } from "../model/index.ts";
import { column, insertRows, objects, run, single, sql, type Transaction } from "./sql.ts";

/** A file or export that was removed, or is about to be. */
export interface Removal {
  readonly kind: RetentionKind;
  /** The name within its folder; for an export file, its target and name. */
  readonly name: string;
  /** The hash of the submitted file, the number of the night or the id of the export batch. */
  readonly about: string;
  /** SHA-256 of its bytes, lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** The instant from which its retention period counts. */
  readonly datedAt: Instant;
  readonly removedAt: Instant;
}

/** Call before removing anything, so that every missing file has its entry even if the process dies in between. */
export function insertRemovals(removals: readonly Removal[]): Transaction<void> {
  return insertRows(
    "insert into removal (kind, name, about, sha256, bytes, dated_at, removed_at)",
    removals.map(({ kind, name, about, sha256, bytes, datedAt, removedAt }) => {
      return [kind, name, about, sha256, bytes, datedAt, removedAt];
    }),
    sql`on conflict (kind, name) do update set about = excluded.about, sha256 = excluded.sha256, bytes = excluded.bytes,
      dated_at = excluded.dated_at, removed_at = excluded.removed_at, recorded = null`,
  );
}

/** Deletes the entries of files that could not be removed. */
export function* forgetRemovals(removals: readonly Pick<Removal, "kind" | "name">[]): Transaction<void> {
  for (const { kind, name } of removals)
    yield* run(sql`delete from removal where kind = ${kind} and name = ${name} and recorded is null`);
}

/** Removals that are not in the audit record yet, including those of a run whose process died. */
export function listUnrecorded(): Transaction<Removal[]> {
  return objects<Removal>(sql`select kind, name, about, sha256, bytes, dated_at, removed_at from removal
    where recorded is null order by kind, name`);
}

/** Marks all new removals as recorded. `entry`: the number of their entry in the audit record. */
export function* markRecorded(entry: number): Transaction<void> {
  yield* run(sql`update removal set recorded = ${entry} where recorded is null`);
}

/** When retention last removed something of this kind about this subject; undefined if it never did. */
export function removedAt(kind: RetentionKind, about: string): Transaction<Instant | undefined> {
  return single(sql`select max(removed_at) as at from removal where kind = ${kind} and about = ${about}`);
}

/** A file or export that a person asks for; `what` names it in messages. */
interface Wanted {
  readonly kind: RetentionKind;
  readonly about: string;
  readonly what: string;
  /** The time zone in which the message gives the day of the removal. */
  readonly timeZone: string;
  readonly where?: Where;
}

/** Throws REMOVED_BY_RETENTION if retention removed it. */
export function* refuseRemoved({ kind, about, what, timeZone, where }: Wanted): Transaction<void> {
  const at = yield* removedAt(kind, about);
  if (at === undefined) return;
  throw fault("REMOVED_BY_RETENTION", { what, day: dayIn(timeZone, at), key: `${kind}Days` }, where);
}

/** A submitted file, of payments or of expected receipts. */
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

/** The files whose answer files begin with `stem`; several if a rejected file was corrected. */
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

/** The state of the books that decides whether a matter is open. */
export interface BooksNow {
  /** Absent while every month is open. */
  readonly closedThrough?: Day | undefined;
  /** The targets that answer about the entries they get. */
  readonly answering: readonly string[];
}

/**
 * Those of these batches that are not finished. A batch is finished when:
 * - no payment waits, is in doubt, is refused without being paid again, or has a payout that has not ended;
 * - both sides were compared, and agree or their differences are settled;
 * - every movement is booked, in a closed month;
 * - the ERP has answered.
 */
export function* listOpenBatches(ids: readonly string[], books: BooksNow): Transaction<ReadonlySet<string>> {
  const { answering, closedThrough = "" } = books;
  const unfinished = yield* column<string>(sql`select id from batch where id in ${ids} and (
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
  const booked = yield* column<string>(sql`select distinct batch_id
    from instruction join entry on source_id = payout_id where batch_id in ${ids} and (
      json_extract(body, '$.bookDay') > ${closedThrough}
      or not exists (select 1 from exported_entry where exported_entry.entry = entry.seq)
      or exists (select 1 from exported_entry join export_batch on export_batch.id = exported_entry.batch
        where exported_entry.entry = entry.seq and export_batch.target in ${answering} and excused_at is null
          and not exists (select 1 from erp_answer where erp_answer.batch = exported_entry.batch
            and erp_answer.entry = exported_entry.entry and trouble is null)))`);
  return new Set([...unfinished, ...booked]);
}

/** Those of these deposits that are not booked, are booked in an open month, or have an open break. */
export function* listOpenDeposits(
  ids: readonly string[],
  { closedThrough = "" }: BooksNow,
): Transaction<ReadonlySet<string>> {
  return new Set(
    yield* column<string>(sql`select id from observed where kind = 'deposit' and id in ${ids} and (
    exists (select 1 from unposted where unposted.kind = 'deposit' and unposted.id = observed.id)
    or exists (select 1 from held where held.kind = 'deposit' and held.id = observed.id
      and until is null and settled_at is null)
    or exists (select 1 from break_opening where closed_at is null and settled_at is null
      and deposit_id = observed.id)
    or exists (select 1 from entry where source_id = observed.id
      and json_extract(body, '$.bookDay') > ${closedThrough}))`),
  );
}

/** When each break that is still open began. */
export function listOpenBreakTimes(): Transaction<Instant[]> {
  return column(
    sql`select opened_at as at from break_opening where closed_at is null and settled_at is null`,
  );
}

/** An export batch whose files are still stored. */
interface KeptExport {
  readonly id: number;
  readonly target: string;
  readonly number: number;
  readonly issuedAt: Instant;
  /** True if entries are in an open month or unanswered, or files have not all been placed. */
  readonly isOpen: boolean;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
}

/**
 * Export batches with stored files that were issued before an instant, oldest first. `bytes`: their size in the
 * database.
 */
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
    found.push({ ...batch, isOpen: batch.isOpen === 1, files });
  }
  return found;
}

/** Removes the stored files of an export batch; their hashes stay. */
export function* removeParts(batch: number): Transaction<void> {
  yield* run(sql`delete from issued_part where batch = ${batch}`);
}

interface OldMessages {
  readonly count: number;
  readonly bytes: number;
  readonly oldest?: Instant;
  readonly newest?: Instant;
}

/** Count, size and time span of messages that ended before an instant and still have their text. */
export function* sumOldMessages(before: Instant): Transaction<OldMessages> {
  const [sum = { count: 0, bytes: 0 }] = yield* objects<OldMessages>(
    sql`select count(*) as count, coalesce(sum(length(subject) + length(body) + length(recipient)), 0) as bytes,
      min(ended_at) as oldest, max(ended_at) as newest from notice_message where ended_at < ${before} and body <> ''`,
  );
  return sum;
}

/**
 * Empties old messages but keeps their keys, which prevent sending the same notice twice. Returns how many were
 * emptied.
 */
export function emptyOldMessages(before: Instant): Transaction<number> {
  return run(sql`update notice_message set recipient = '', subject = '', body = '', answer = null
    where ended_at < ${before} and body <> ''`);
}
