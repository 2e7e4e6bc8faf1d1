/** Journal entries and export batches. An entry is written once; what was issued is never issued differently. */
import { invariant } from "../faults/index.ts";
import { type Instant, type JournalEntry, readExact, writeExact } from "../model/index.ts";
import { all, first, run, sql, type Transaction } from "./sql.ts";

/** Writes an entry once; the same id with other content breaks the rule that entries are never edited. */
export function* insertEntry(entry: JournalEntry, at: Instant): Transaction<void> {
  const body = writeExact(entry);
  const known = yield* first<{ body: string }>(sql`select body from entry where id = ${entry.entryId}`);
  invariant(
    known === undefined || known.body === body,
    `entry ${entry.entryId} was posted before with other content`,
  );
  if (known !== undefined) return;
  yield* run(sql`insert into entry (id, body, posted_at) values (${entry.entryId}, ${body}, ${at})`);
}

export function* listEntries(): Transaction<JournalEntry[]> {
  const rows = yield* all<{ body: string }>(sql`select body from entry order by seq`);
  return rows.map(({ body }) => readExact<JournalEntry>(body));
}

/** The entries of one payout's or deposit's facts. */
export function* listEntriesAbout(resourceId: string): Transaction<JournalEntry[]> {
  const rows = yield* all<{ body: string }>(
    sql`select body from entry where instr(json_extract(body, '$.factId'), ${resourceId}) > 0 order by seq`,
  );
  return rows.map(({ body }) => readExact<JournalEntry>(body));
}

export interface ExportBatch {
  readonly number: number;
  readonly issuedAt: Instant;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** The number that the next export batch will bear. */
export function* nextExportNumber(): Transaction<number> {
  const row = yield* first<{ last: number | null }>(sql`select max(number) as last from export_batch`);
  return (row?.last ?? 0) + 1;
}

export function* listEntriesToExport(): Transaction<JournalEntry[]> {
  const rows = yield* all<{ body: string }>(
    sql`select body from entry where export_batch is null order by seq`,
  );
  return rows.map(({ body }) => readExact<JournalEntry>(body));
}

/** Marks exactly these entries as issued; one that was issued meanwhile stops it. */
export function* issueExportBatch(
  { number, issuedAt, files }: ExportBatch,
  entryIds: readonly string[],
): Transaction<void> {
  yield* run(
    sql`insert into export_batch (number, issued_at, files) values (${number}, ${issuedAt}, ${JSON.stringify(files)})`,
  );
  for (const id of entryIds) {
    const issued = yield* all<{ id: string }>(
      sql`update entry set export_batch = ${number} where id = ${id} and export_batch is null returning id`,
    );
    invariant(issued.length === 1, `entry ${id} was exported before`);
  }
}
