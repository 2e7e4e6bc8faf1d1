/** What a file shows before any meaning is given to it: its format, its sheets and every cell with its kind. */
import type { Cell, FileFormat } from "../model/row.ts";
import { csvCell, openCsvSource } from "./csv/open-csv-table.ts";
import { detectFormat } from "./detect-format.ts";
import type { FileLimits } from "./file-limits.ts";
import { openArchive } from "./xlsx/archive.ts";
import { sheetRows } from "./xlsx/sheet-rows.ts";
import { dialectOf, readWorkbook, type Workbook, type Worksheet, withArchive } from "./xlsx/workbook.ts";

export interface SeenFile {
  readonly format: FileFormat;
  /** "UTF-8, semicolons" */
  readonly dialect: string;
  /** CSV only. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** A CSV has one, without a name. */
  readonly sheets: readonly SeenSheet[];
}

export interface SeenSheet {
  readonly name: string;
  readonly visibility: Worksheet["visibility"];
  /** Lazy; blank lines are left out. May throw the Faults of `openTable`. */
  rows(): AsyncIterable<SeenRow>;
}

export interface SeenRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: readonly Cell[];
  /** CSV only: what breaks the format here. */
  readonly broken?: string;
}

/** Reads any file that `openTable` could open, with or without a header. Faults: those of `openTable` but for header and sheet. */
export async function readSheets(path: string, limits: FileLimits): Promise<SeenFile> {
  return (await detectFormat(path, limits)) === "csv" ? seeCsv(path, limits) : seeXlsx(path, limits);
}

async function seeCsv(path: string, limits: FileLimits): Promise<SeenFile> {
  const source = await openCsvSource(path, limits);
  const rows = async function* (): AsyncGenerator<SeenRow> {
    for await (const { line, cells, broken } of source.records()) {
      const row = { line, isHidden: false, cells: cells.map(csvCell) };
      if (broken !== undefined) yield { ...row, broken: broken.reason };
      else if (row.cells.some((cell) => cell.kind !== "empty")) yield row;
    }
  };
  return {
    format: "csv",
    dialect: source.dialect,
    encoding: source.encoding.name,
    delimiter: source.delimiter.character,
    sheets: [{ name: "", visibility: "visible", rows }],
  };
}

async function seeXlsx(path: string, limits: FileLimits): Promise<SeenFile> {
  const workbook = await withArchive(path, limits, (archive) => readWorkbook(archive, limits));
  return {
    format: "xlsx",
    dialect: dialectOf(workbook),
    sheets: workbook.sheets.map((sheet) => ({
      name: sheet.name,
      visibility: sheet.visibility,
      rows: () => seenRows(workbook, sheet, limits),
    })),
  };
}

async function* seenRows(workbook: Workbook, sheet: Worksheet, limits: FileLimits): AsyncGenerator<SeenRow> {
  const archive = await openArchive(workbook.path, limits);
  const listener = { hiddenColumns: () => undefined, mergedCells: () => undefined };
  try {
    for await (const batch of sheetRows(archive, workbook, sheet, limits, listener)) yield* batch;
  } finally {
    archive.close();
  }
}
