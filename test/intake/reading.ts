/** Files on disk for a test, and what openTable reads from them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, type Problem } from "../../src/faults/index.ts";
import { DEFAULT_FILE_LIMITS, openTable, type TableLayout } from "../../src/intake/index.ts";
import type { Row, Table } from "../../src/model/row.ts";
import { rowsOf } from "../rows-of.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-intake-"));
let count = 0;

/** Writes these bytes to a new file whose name does not reveal the format; returns its path. */
export function fileOf(bytes: string | Uint8Array): string {
  count += 1;
  const path = join(folder, `drop-${count}`);
  writeFileSync(path, bytes);
  return path;
}

export const LAYOUT: TableLayout = {
  isHeader: (cells) => cells.includes("reference") && cells.includes("amount"),
  limits: DEFAULT_FILE_LIMITS,
};

export interface Reading {
  readonly table: Table;
  readonly rows: readonly Row[];
  /** The text of every cell. */
  readonly texts: readonly (readonly string[])[];
  readonly problems: readonly Problem[];
}

export async function read(bytes: string | Uint8Array, layout: Partial<TableLayout> = {}): Promise<Reading> {
  return readPath(fileOf(bytes), layout);
}

export async function readPath(path: string, layout: Partial<TableLayout> = {}): Promise<Reading> {
  const table = await openTable(path, { ...LAYOUT, ...layout });
  const rows = await rowsOf(table);
  return {
    table,
    rows,
    texts: rows.map(({ cells }) => cells.map(({ text }) => text)),
    problems: rows.flatMap(({ problems }) => problems),
  };
}

/** The problem that keeps a file from being read. */
export async function refusal(reading: Promise<unknown>): Promise<Problem> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Fault) return error.problem;
    throw error;
  }
  throw new Error("the file was read, although it should have been refused");
}
