/** Files taken in, and the batches made of them. */
import { invariant } from "../faults/index.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  batchId,
  type ControlTotal,
  type Instant,
  personKey,
} from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import { all, first, run, sql, type Transaction } from "./sql.ts";

export interface TakenFile {
  readonly sha256: string;
  readonly name: string;
  readonly takenAt: Instant;
  readonly verdict: "accepted" | "rejected" | "refused";
  readonly batchId?: BatchId;
}

/** Remembers a file's bytes. A rejected file may come again (its references may be free by then); the newest reading counts. */
export function* rememberFile(file: TakenFile): Transaction<void> {
  yield* run(sql`insert into file (sha256, name, taken_at, verdict, batch_id)
    values (${file.sha256}, ${file.name}, ${file.takenAt}, ${file.verdict}, ${file.batchId})
    on conflict (sha256) do update
    set name = excluded.name, taken_at = excluded.taken_at, verdict = excluded.verdict, batch_id = excluded.batch_id`);
}

export function* findFile(sha256: string): Transaction<TakenFile | undefined> {
  return takenFile(yield* first<FileRow>(sql`select * from file where sha256 = ${sha256}`));
}

/** The newest of the files that came under this name, whatever became of it. */
export function* findFileByName(name: string): Transaction<TakenFile | undefined> {
  return takenFile(
    yield* first<FileRow>(sql`select * from file where name = ${name} order by taken_at desc limit 1`),
  );
}

export function* nextBatchId(): Transaction<BatchId> {
  const row = yield* first<{ count: number }>(sql`select count(*) as count from batch`);
  return batchId(`B-${String((row?.count ?? 0) + 1).padStart(6, "0")}`);
}

export function* insertBatch(batch: Batch): Transaction<void> {
  yield* run(sql`insert into batch (id, file_sha256, file_name, archived_as, submitted_by, submitted_at, digest, row_count, control_totals)
    values (${batch.id}, ${batch.fileSha256}, ${batch.fileName}, ${batch.archivedAs}, ${batch.submittedBy}, ${batch.submittedAt},
      ${batch.digest}, ${batch.rowCount}, ${writeTotals(batch.controlTotals)})`);
}

export function* getBatch(id: BatchId): Transaction<Batch> {
  const row = yield* first<BatchRow>(sql`select * from batch where id = ${id}`);
  invariant(row !== undefined, `there is no batch ${id}`);
  return batchFrom(row);
}

export function* listBatches(): Transaction<Batch[]> {
  return (yield* all<BatchRow>(sql`select * from batch order by id`)).map(batchFrom);
}

export function* insertApproval(batch: BatchId, approval: Approval): Transaction<void> {
  yield* run(sql`insert into approval (batch_id, person, digest, decided_at)
    values (${batch}, ${approval.person}, ${approval.digest}, ${approval.decidedAt})
    on conflict (batch_id, person) do update set digest = excluded.digest, decided_at = excluded.decided_at`);
}

/** The newest approval of each person: whoever approves twice, spelled in two ways, is one person still. */
export function* listApprovals(batch: BatchId): Transaction<Approval[]> {
  const rows = yield* all<{ person: string; digest: string; decided_at: string }>(
    sql`select * from approval where batch_id = ${batch} order by decided_at`,
  );
  const byPerson = new Map(rows.map((row) => [personKey(row.person), row]));
  return [...byPerson.values()].map(({ person, digest, decided_at }) => ({
    person,
    digest,
    decidedAt: decided_at,
  }));
}

interface FileRow {
  readonly sha256: string;
  readonly name: string;
  readonly taken_at: string;
  readonly verdict: TakenFile["verdict"];
  readonly batch_id: string | null;
}

function takenFile(row: FileRow | undefined): TakenFile | undefined {
  if (row === undefined) return undefined;
  const { sha256, name, verdict } = row;
  const file = { sha256, name, takenAt: row.taken_at, verdict };
  return row.batch_id === null ? file : { ...file, batchId: batchId(row.batch_id) };
}

interface BatchRow {
  readonly id: string;
  readonly file_sha256: string;
  readonly file_name: string;
  readonly archived_as: string;
  readonly submitted_by: string;
  readonly submitted_at: string;
  readonly digest: string;
  readonly row_count: number;
  readonly control_totals: string;
}

function batchFrom(row: BatchRow): Batch {
  return {
    id: batchId(row.id),
    fileSha256: row.file_sha256,
    fileName: row.file_name,
    archivedAs: row.archived_as,
    submittedBy: row.submitted_by,
    submittedAt: row.submitted_at,
    digest: row.digest,
    rowCount: row.row_count,
    controlTotals: readTotals(row.control_totals),
  };
}

function writeTotals(totals: readonly ControlTotal[]): string {
  return JSON.stringify(totals.map(({ currency, count, amount }) => [currency, count, amount.toString()]));
}

function readTotals(text: string): ControlTotal[] {
  const rows = JSON.parse(text) as [string, number, string][];
  return rows.map(([currency, count, amount]) => ({ currency, count, amount: Decimal.of(amount) }));
}
