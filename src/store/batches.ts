/** Files that were taken in, and their batches. */
import { invariant } from "../faults/index.ts";
import type { BatchReading } from "../model/batch-reading.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  batchId,
  type ControlTotal,
  compareText,
  type Day,
  type Instant,
  personKey,
  type Standing,
} from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import {
  all,
  column,
  countOf,
  finds,
  mapOf,
  objects,
  run,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";

export interface TakenFile {
  readonly sha256: string;
  readonly name: string;
  readonly takenAt: Instant;
  readonly verdict: "accepted" | "rejected" | "refused";
  readonly batchId?: BatchId;
  /** Absent for a file of an earlier version. */
  readonly submittedBy?: string;
  /** The batch that has most of the file's payments; absent if any row is new. */
  readonly sentBefore?: BatchId;
  /** The beginning of the names of its answer files: `payroll`, or `payroll (2)` for a second file of that name. */
  readonly answerStem?: string;
}

/** Stores a file's hash and verdict. A rejected file may be sent again; the newest verdict counts. */
export function* recordFile(file: TakenFile): Transaction<void> {
  yield* run(sql`insert into file (sha256, name, taken_at, verdict, batch_id, answer_stem, submitted_by, sent_before)
    values (${file.sha256}, ${file.name}, ${file.takenAt}, ${file.verdict}, ${file.batchId}, ${file.answerStem},
      ${file.submittedBy}, ${file.sentBefore})
    on conflict (sha256) do update
    set name = excluded.name, taken_at = excluded.taken_at, verdict = excluded.verdict, batch_id = excluded.batch_id,
      answer_stem = excluded.answer_stem, submitted_by = excluded.submitted_by, sent_before = excluded.sent_before`);
}

/** Whether another file's answer files begin with this name. */
export function isAnswerStemTaken(stem: string, sha256: string): Transaction<boolean> {
  return finds(sql`select 1 from file where answer_stem = ${stem} and sha256 <> ${sha256} limit 1`);
}

export function* findFile(sha256: string): Transaction<TakenFile | undefined> {
  return (yield* objects<TakenFile>(sql`select * from file where sha256 = ${sha256}`))[0];
}

export interface FileFilter {
  /** Empty for all submitters. */
  readonly submittedBy: string;
  /** A part of the name; empty for all. */
  readonly name: string;
  /** Files taken in before this; empty for the newest. */
  readonly before: Instant | "";
}

/**
 * Newest first. Leaves out files that were not accepted and came again, as a correction or from the same person.
 */
export function listFiles(
  { submittedBy, name, before }: FileFilter,
  count: number,
): Transaction<TakenFile[]> {
  const part = `%${name.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return objects(sql`select * from file where (${submittedBy} = '' or submitted_by = ${submittedBy})
      and (${before} = '' or taken_at < ${before})
      and lower(name) like ${part} escape '\\' and (batch_id is not null or ${IS_NEWEST})
      order by taken_at desc limit ${count}`);
}

/** For a file without a batch: true if no newer file replaces it. */
const IS_NEWEST = sql`not (exists
    (select 1 from file as newer where newer.answer_stem = file.answer_stem and newer.taken_at > file.taken_at)
  or exists (select 1 from file as newer where newer.name = file.name and newer.taken_at > file.taken_at
    and newer.submitted_by = file.submitted_by))`;

/**
 * Files that need a correction and were not sent again: `rejected` were read but have bad rows, `refused` could not
 * be read.
 */
export interface FilesBack {
  readonly rejected: number;
  readonly refused: number;
}

/** Counts from an instant on, without files in which nothing is new. `submittedBy`: empty for everybody. */
export function* countFilesBack(since: Instant, submittedBy = ""): Transaction<FilesBack> {
  const counts = yield* mapOf<keyof FilesBack, number>(sql`select verdict, count(*) as count from file
    where taken_at >= ${since} and verdict <> 'accepted' and batch_id is null and sent_before is null
      and (${submittedBy} = '' or submitted_by = ${submittedBy}) and ${IS_NEWEST} group by verdict`);
  return { rejected: counts.get("rejected") ?? 0, refused: counts.get("refused") ?? 0 };
}

/** The names of all files that were taken in since an instant, whatever their verdicts. */
export function listFileNamesSince(since: Instant): Transaction<string[]> {
  return column(sql`select distinct name from file where taken_at >= ${since}`);
}

/** A file that became a batch. */
export interface Arrival {
  readonly fileName: string;
  readonly at: Instant;
  /** The hash of its sender and header. */
  readonly layout: string;
}

/** Newest first. */
export function listArrivalsSince(since: Instant): Transaction<Arrival[]> {
  return objects(sql`select file_name, submitted_at as at, layout from batch
    where layout is not null and submitted_at >= ${since} order by submitted_at desc, id desc`);
}

/** The newest file of this name, of any verdict; `except`: the SHA-256 of a file to leave out. */
export function* findFileByName(name: string, except = ""): Transaction<TakenFile | undefined> {
  return (yield* objects<TakenFile>(
    sql`select * from file where name = ${name} and sha256 <> ${except} order by taken_at desc limit 1`,
  ))[0];
}

export function* nextBatchId(): Transaction<BatchId> {
  const batches = yield* countOf(sql`select count(*) from batch`);
  return batchId(`B-${String(batches + 1).padStart(6, "0")}`);
}

/**
 * `reading`: absent for a payment that does not come from a file; `layout`: the hash by which similar files are
 * found.
 */
export function* insertBatch(batch: Batch, reading?: BatchReading, layout?: string): Transaction<void> {
  yield* run(sql`insert into batch (id, file_sha256, file_name, archived_as, submitted_by, submitted_at, digest,
    row_count, control_totals, reading, layout)
    values (${batch.id}, ${batch.fileSha256}, ${batch.fileName}, ${batch.archivedAs}, ${batch.submittedBy},
      ${batch.submittedAt},
      ${batch.digest}, ${batch.rowCount}, ${writeTotals(batch.controlTotals)},
        ${reading && writeReading(reading)}, ${layout})`);
}

/**
 * The newest batches of a layout that are before the batch `than` and have approved payments; of one submitter, if
 * given. Lists the wanted standings instead of excluding the others, so that an index is used.
 */
export function listApprovedOfLayout(
  layout: string,
  { than = "~", submittedBy = "" }: { readonly than?: string | undefined; readonly submittedBy?: string },
  count: number,
): Transaction<Batch[]> {
  return batchesIn(sql`${BATCH} where layout = ${layout} and id < ${than}
      and (${submittedBy} = '' or submitted_by = ${submittedBy})
      and exists (select 1 from instruction where batch_id = batch.id
        and standing in ('approved', 'sending', 'accepted', 'refused', 'in doubt', 'held', 'abandoned'))
      order by id desc limit ${count}`);
}

/** How many files of a sender were accepted in a month, and how many questions they raised. */
export interface AskedOfSender {
  readonly sender: string;
  /** "2026-11" */
  readonly month: string;
  readonly files: number;
  readonly questions: number;
}

/** Counts an accepted file and its questions. */
export function* countAsked({ sender, month, questions }: Omit<AskedOfSender, "files">): Transaction<void> {
  yield* run(sql`insert into asked (sender, month, files, questions) values (${sender}, ${month}, 1, ${questions})
    on conflict (sender, month) do update
    set files = asked.files + 1, questions = asked.questions + excluded.questions`);
}

/** The counts from this month on, by sender and month. */
export function listAsked(since: string): Transaction<AskedOfSender[]> {
  return objects(
    sql`select sender, month, files, questions from asked where month >= ${since} order by sender, month`,
  );
}

/** How the batch's file was read; undefined for a payment that does not come from a file. */
export function* findBatchReading(id: BatchId): Transaction<BatchReading | undefined> {
  const reading = yield* single<string>(sql`select reading from batch where id = ${id}`);
  return reading === undefined ? undefined : readReading(reading);
}

/** When these batches were submitted. */
export function* listSubmittedAt(ids: readonly BatchId[]): Transaction<(readonly [BatchId, Instant])[]> {
  return [...(yield* mapOf<BatchId, Instant>(sql`select id, submitted_at from batch where id in ${ids}`))];
}

/** The lines of the file from which the batch's payments were read, by row. */
export function listLines(id: BatchId): Transaction<ReadonlyMap<number, number>> {
  return mapOf(sql`select row, line from instruction where batch_id = ${id} order by row`);
}

/** The references of the batch's payments, by row. */
export function listReferences(id: BatchId): Transaction<ReadonlyMap<number, string>> {
  return mapOf(sql`select row, reference from instruction where batch_id = ${id} order by row`);
}

export function* getBatch(id: BatchId): Transaction<Batch> {
  const [batch] = yield* batchesIn(sql`${BATCH} where id = ${id}`);
  invariant(batch !== undefined, `there is no batch ${id}`);
  return batch;
}

export function* findBatchByDigest(digest: string): Transaction<Batch | undefined> {
  return (yield* batchesIn(sql`${BATCH} where digest = ${digest}`))[0];
}

export function* isWithdrawn(id: BatchId): Transaction<boolean> {
  return !(yield* finds(
    sql`select 1 from instruction where batch_id = ${id} and standing <> ${"withdrawn" satisfies Standing} limit 1`,
  ));
}

/** A row of a batch with the canonical text of its fields, and the unread columns that repeat some of them. */
export interface FieldText {
  readonly row: number;
  readonly fields: string;
  readonly standing: Standing;
  readonly reference: string;
  readonly currency: string;
  readonly amount: string;
  readonly destination: string;
  readonly pay_on: Day | null;
}

/** The rows of a batch after `row`, at most `count`. */
export function listFieldTexts(id: BatchId, row: number, count: number): Transaction<readonly FieldText[]> {
  return all(
    sql`select row, fields, standing, reference, currency, amount, destination, pay_on from instruction
      where batch_id = ${id} and row > ${row} order by row limit ${count}`,
  );
}

/** The custody accounts that the rows of a batch are paid from. */
export function listCustodyAccounts(id: BatchId): Transaction<string[]> {
  return column(
    sql`select distinct json_extract(fields, '$.custodyAccountId') as account from instruction where batch_id = ${id}`,
  );
}

/** The id that the first payment of a batch got when it was stored. */
export function firstInstructionId(id: BatchId): Transaction<string | undefined> {
  return single(sql`select id from instruction where batch_id = ${id} order by row limit 1`);
}

/** How many different destinations a batch pays to. */
export function countPayees(id: BatchId): Transaction<number> {
  return countOf(sql`select count(distinct destination) from instruction where batch_id = ${id}`);
}

/** Files that were taken in since an instant, oldest first. */
export function listFilesSince(since: Instant): Transaction<TakenFile[]> {
  return objects<TakenFile>(sql`select * from file where taken_at >= ${since} order by taken_at, sha256`);
}

/** How many rows of a batch are stored. Does not check their numbers. */
export function countRows(id: BatchId): Transaction<number> {
  return countOf(sql`select count(*) from instruction where batch_id = ${id}`);
}

/** The batches in which at least one payment has one of these standings. */
export function listBatchesAt(standings: readonly Standing[]): Transaction<BatchId[]> {
  return column(sql`select id from batch
    where exists (select 1 from instruction where batch_id = batch.id and standing in ${standings}) order by id`);
}

/** The batches with this number, or whose digest begins with this text. */
export function listBatchesNamed(id: string, digest: string | undefined): Transaction<Batch[]> {
  // No digit of a digest sorts after "f".
  const [from, end] = digest === undefined ? ["", ""] : [digest, `${digest}g`];
  return batchesIn(sql`${BATCH} where id = ${id} or (digest >= ${from} and digest < ${end}) order by id`);
}

/** At most `count` batches with this number, or with this text in their file's name; newest first. */
export function listBatchesCalled(text: string, count: number): Transaction<Batch[]> {
  return batchesIn(sql`${BATCH} where id = ${text.toUpperCase()}
    or instr(lower(file_name), ${text.toLowerCase()}) > 0 order by id desc limit ${count}`);
}

export function listBatches(): Transaction<Batch[]> {
  return batchesIn(sql`${BATCH} order by id`);
}

/** `shown`: the evidence on which the person decided (decision-evidence.ts). */
export function* insertApproval(batch: BatchId, approval: Approval, shown: string): Transaction<void> {
  yield* run(sql`insert into approval (batch_id, person, digest, decided_at, approved, statement, shown)
    values (${batch}, ${approval.person}, ${approval.digest}, ${approval.decidedAt}, ${approval.approved},
      ${approval.statement}, ${shown})
    on conflict (batch_id, person) do update
    set digest = excluded.digest, decided_at = excluded.decided_at, approved = excluded.approved,
      statement = excluded.statement, shown = excluded.shown`);
}

/**
 * What the approvers of a batch were shown, earliest first. Leaves out approvals of earlier versions, which stored
 * none.
 */
export function listShown(batch: BatchId): Transaction<string[]> {
  return column(
    sql`select shown from approval where batch_id = ${batch} and shown is not null order by decided_at`,
  );
}

/** The newest approval of each person; different spellings of a name are one person. */
export function* listApprovals(batch: BatchId): Transaction<Approval[]> {
  const approvals = yield* objects<Approval>(
    sql`select person, digest, decided_at, approved, statement from approval
      where batch_id = ${batch} order by decided_at`,
  );
  return [...new Map(approvals.map((approval) => [personKey(approval.person), approval])).values()];
}

/** One text per approval, which changes when it is given again. */
export function* listApprovalStamps(batch: BatchId): Transaction<string[]> {
  const rows = yield* all<{ person: string; decided_at: Instant; statement: string | null }>(
    sql`select person, decided_at, statement from approval where batch_id = ${batch}`,
  );
  // Sorted in code: with an `order by`, SQLite plans the query again each time.
  const sorted = [...rows].sort((left, right) => compareText(left.person, right.person));
  return sorted.map(({ person, decided_at: at, statement }) => statement ?? `${person} ${at}`);
}

/** The latest payment date of a batch. */
export function latestPayDay(batch: BatchId): Transaction<Day | undefined> {
  return single(sql`select max(pay_on) as pay_on from instruction where batch_id = ${batch}`);
}

/** Without `results_of`, which belongs to results-due.ts, and `reading`, which may be long. */
const BATCH = sql`select id, file_sha256, file_name, archived_as, submitted_by, submitted_at, digest, row_count,
  control_totals from batch`;

function* batchesIn(statement: Statement): Transaction<Batch[]> {
  type Kept = Omit<Batch, "controlTotals"> & { controlTotals: string };
  return (yield* objects<Kept>(statement)).map(({ controlTotals, ...batch }) => ({
    ...batch,
    controlTotals: readTotals(controlTotals),
  }));
}

function writeTotals(totals: readonly ControlTotal[]): string {
  return JSON.stringify(totals.map(({ currency, count, amount }) => [currency, count, amount.toString()]));
}

function readTotals(text: string): ControlTotal[] {
  const rows = JSON.parse(text) as [string, number, string][];
  return rows.map(([currency, count, amount]) => ({ currency, count, amount: Decimal.of(amount) }));
}

function writeReading({ sections, ...reading }: BatchReading): string {
  const kept = sections.map(({ totals, ...section }) => ({ ...section, totals: writeTotals(totals) }));
  return JSON.stringify({ ...reading, sections: kept });
}

function readReading(text: string): BatchReading {
  type Kept = Omit<BatchReading, "sections"> & {
    readonly sections: readonly (Omit<BatchReading["sections"][number], "totals"> & { totals: string })[];
  };
  const kept = JSON.parse(text) as Kept;
  return {
    ...kept,
    sections: kept.sections.map(({ totals, ...section }) => ({ ...section, totals: readTotals(totals) })),
  };
}
