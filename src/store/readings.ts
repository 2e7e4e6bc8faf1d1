/**
 * What one reading of a file found (drafts and row problems), kept in temporary tables until its verdict is known. The
 * tables belong to this connection, are never flushed and vanish with it. So a file of any length is stored whole or
 * not at all without filling memory, and a process that dies leaves nothing behind.
 */
import type { Problem } from "../faults/index.ts";
import { canonicalFields, type DraftInstruction, readCanonicalFields } from "../model/index.ts";
import { all, insertRows, run, sql, type Transaction } from "./sql.ts";

/** A UUID: one connection may read several files at once. */
export type ReadingId = string;

/** Creates the temporary tables unless this connection has them. */
export function* prepareReadings(): Transaction<void> {
  yield* run(sql`create temp table if not exists reading_draft (
    reading text not null, row integer not null, reference text not null, fields text not null, primary key (reading, row)
  ) strict`);
  yield* run(sql`create temp table if not exists reading_problem (
    reading text not null, row integer not null, problems text not null, primary key (reading, row)
  ) strict`);
}

/** Adds the drafts and problems of some rows. */
export function* addToReading(
  reading: ReadingId,
  drafts: readonly DraftInstruction[],
  problems: readonly Problem[],
): Transaction<void> {
  yield* insertRows(
    "insert into reading_draft (reading, row, reference, fields)",
    drafts.map(({ row, fields }) => [reading, row, fields.reference, canonicalFields(fields)]),
  );
  const byRow = [...Map.groupBy(problems, (problem) => problem.row)];
  yield* insertRows(
    "insert into reading_problem (reading, row, problems)",
    byRow.map(([row, ofRow]) => [reading, row, JSON.stringify(ofRow)]),
  );
}

/** At most `count` drafts after the given row, in row order. */
export function* listReadingDrafts(
  reading: ReadingId,
  afterRow: number,
  count: number,
): Transaction<DraftInstruction[]> {
  const rows = yield* all<{ row: number; fields: string }>(sql`select row, fields from reading_draft
    where reading = ${reading} and row > ${afterRow} order by row limit ${count}`);
  return rows.map(({ row, fields }) => ({ row, fields: readCanonicalFields(fields) }));
}

/** The problems of the rows from `firstRow` to `lastRow`, by row. */
export function* listReadingProblems(
  reading: ReadingId,
  firstRow: number,
  lastRow: number,
): Transaction<ReadonlyMap<number, readonly Problem[]>> {
  const rows = yield* all<{ row: number; problems: string }>(sql`select row, problems from reading_problem
    where reading = ${reading} and row between ${firstRow} and ${lastRow}`);
  return new Map(rows.map(({ row, problems }) => [row, JSON.parse(problems) as Problem[]]));
}

export function* deleteReading(reading: ReadingId): Transaction<void> {
  yield* run(sql`delete from reading_draft where reading = ${reading}`);
  yield* run(sql`delete from reading_problem where reading = ${reading}`);
}
