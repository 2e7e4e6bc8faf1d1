/**
 * What one reading of a file found, kept aside until its verdict is known: its drafts and the problems of its rows. The tables
 * are this connection's own, are never flushed and vanish with it, so that a file of any length is stored whole or not at
 * all without lying in memory, and a process that dies leaves nothing behind.
 */
import type { Problem } from "../faults/index.ts";
import { canonicalFields, type DraftInstruction, readCanonicalFields } from "../model/index.ts";
import { all, insertRows, run, sql, type Transaction } from "./sql.ts";

/** A UUID: one connection may read several files at once. */
export type ReadingId = string;

/** Makes the tables where this connection has none yet. */
export function* prepareReadings(): Transaction<void> {
  yield* run(sql`create temp table if not exists reading_draft (
    reading text not null, row integer not null, reference text not null, fields text not null, primary key (reading, row)
  ) strict`);
  yield* run(sql`create temp table if not exists reading_problem (
    reading text not null, row integer not null, problems text not null, primary key (reading, row)
  ) strict`);
}

/** Keeps what some rows came to: drafts of the good ones, problems of the others. */
export function* keepRows(
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

/** The drafts in row order, at most `count`, from behind the row given. */
export function* listKeptDrafts(
  reading: ReadingId,
  afterRow: number,
  count: number,
): Transaction<DraftInstruction[]> {
  const rows = yield* all<{ row: number; fields: string }>(sql`select row, fields from reading_draft
    where reading = ${reading} and row > ${afterRow} order by row limit ${count}`);
  return rows.map(({ row, fields }) => ({ row, fields: readCanonicalFields(fields) }));
}

/** The problems of the rows from `firstRow` to `lastRow`, by row. */
export function* listKeptProblems(
  reading: ReadingId,
  firstRow: number,
  lastRow: number,
): Transaction<ReadonlyMap<number, readonly Problem[]>> {
  const rows = yield* all<{ row: number; problems: string }>(sql`select row, problems from reading_problem
    where reading = ${reading} and row between ${firstRow} and ${lastRow}`);
  return new Map(rows.map(({ row, problems }) => [row, JSON.parse(problems) as Problem[]]));
}

export function* forgetReading(reading: ReadingId): Transaction<void> {
  yield* run(sql`delete from reading_draft where reading = ${reading}`);
  yield* run(sql`delete from reading_problem where reading = ${reading}`);
}
