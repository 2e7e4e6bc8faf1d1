/** Files on disk for a test, and what intake reads from them. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault, isProblem, type Problem } from "../../src/faults/index.ts";
import { chooseSheet, countKnownNames } from "../../src/files/reading/index.ts";
import { type Cell, type Grid, type Line, type SheetHead, textOf } from "../../src/model/grid.ts";
import { DEFAULT_FILE_LIMITS, type FileLimits, openSentFile } from "../../src/readers/index.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-intake-"));
let count = 0;

/** Writes these bytes to a new file whose name does not reveal the format; returns its path. */
export function fileOf(bytes: string | Uint8Array): string {
  count += 1;
  const path = join(folder, `drop-${count}`);
  writeFileSync(path, bytes);
  return path;
}

export interface Reading {
  readonly grid: Grid;
  readonly sheets: readonly SheetHead[];
  /** The lines below the first that names a reference and an amount. */
  readonly rows: readonly Line[];
  /** The text of every cell of theirs, as wide as the header. */
  readonly texts: readonly (readonly string[])[];
}

/** Reads the sheet that would be chosen, or the first of all. */
export async function read(bytes: string | Uint8Array, limits?: Partial<FileLimits>): Promise<Reading> {
  return readPath(fileOf(bytes), limits);
}

export async function readPath(path: string, limits: Partial<FileLimits> = {}): Promise<Reading> {
  const sent = await openSentFile(path, {
    limits: { ...DEFAULT_FILE_LIMITS, ...limits },
    knownNames: (cells) => countKnownNames(cells, {}),
  });
  try {
    const { sheets } = sent;
    const chosen = chooseSheet(sheets, { columns: {} });
    const grid = await sent.readSheet(isProblem(chosen) ? (sheets[0]?.name ?? "") : chosen.sheet);
    const header = grid.lines.findIndex(isHeader);
    const rows = grid.lines.slice(header + 1);
    const width = grid.lines[header]?.cells.length ?? 0;
    const texts = rows.map(({ cells }) =>
      Array.from({ length: Math.max(width, cells.length) }, (_, at) => textOf(cells[at] ?? "")),
    );
    return { grid, sheets, rows, texts };
  } finally {
    await sent.close();
  }
}

function isHeader({ cells }: Line): boolean {
  return cells.includes("reference") && cells.includes("amount");
}

/** The cell of the only row whose column is named `amount` in a workbook of the fixture. */
export function secondCell({ rows }: Reading): Cell | undefined {
  return rows[0]?.cells[1];
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
