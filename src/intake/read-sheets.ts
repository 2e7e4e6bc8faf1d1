/** Reads a file uninterpreted: its format, its sheets and every cell with its kind. */
import type { FileFormat } from "../model/row.ts";
import { csvCell, openCsvSource } from "./csv/open-csv-table.ts";
import { detectFormat } from "./detect-format.ts";
import { type FileLimits, tooMany } from "./file-limits.ts";
import { ofVersion, versionOf } from "./file-version.ts";
import { sheetNamed } from "./sheet-named.ts";
import { HEADER_LINE_MAX } from "./table-layout.ts";
import { openWorkbook } from "./xlsx/open-workbook.ts";
import type { SheetRow } from "./xlsx/packed-rows.ts";
import { dialectOf, type Worksheet } from "./xlsx/workbook.ts";

export interface RawFile {
  readonly format: FileFormat;
  /** "UTF-8, semicolons" */
  readonly dialect: string;
  /** CSV only. */
  readonly encoding?: string;
  readonly delimiter?: string;
  /** A CSV has one sheet, without a name. */
  readonly sheets: readonly RawSheet[];
}

export interface RawSheet {
  readonly name: string;
  readonly visibility: Worksheet["visibility"];
  /** Lazy; leaves out blank lines. May throw the Faults of `openTable`. */
  rows(): AsyncIterable<RawRow>;
}

export interface RawRow extends SheetRow {
  /** CSV only: how the row is malformed, and on which line. */
  readonly broken?: { readonly line: number; readonly reason: string };
}

/**
 * Reads any file that `openTable` could open, with or without a header: all its sheets, or the named one. Faults: those
 * of `openTable` except for missing headers and ambiguous sheets.
 */
export async function readSheets(path: string, limits: FileLimits, sheetName?: string): Promise<RawFile> {
  const format = await detectFormat(path, limits);
  const version = await versionOf(path);
  const file = format === "csv" ? await readCsv(path, limits) : await readXlsx(path, limits);
  const wanted = sheetName === undefined ? file.sheets : [sheetNamed(sheetName, file.sheets, path)];
  const sheets = wanted.map((sheet) => ({
    ...sheet,
    rows: () => ofVersion(path, version, withinLimits(path, sheet, limits)),
  }));
  return { ...file, sheets };
}

async function readCsv(path: string, limits: FileLimits): Promise<RawFile> {
  const source = await openCsvSource(path, limits);
  const rows = async function* (): AsyncGenerator<RawRow> {
    for await (const records of source.records()) {
      for (const { line, cells, broken } of records) {
        const row = { line, isHidden: false, isStruck: false, cells: cells.map(csvCell) };
        if (broken !== undefined) yield { ...row, broken };
        else if (row.cells.some((cell) => cell.kind !== "empty")) yield row;
      }
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

async function readXlsx(path: string, limits: FileLimits): Promise<RawFile> {
  const workbook = await openWorkbook(path, limits);
  await workbook.close();
  return {
    format: "xlsx",
    dialect: dialectOf(workbook),
    sheets: workbook.sheets.map((sheet) => ({
      name: sheet.name,
      visibility: sheet.visibility,
      rows: () => rowsOf(path, sheet, limits),
    })),
  };
}

async function* rowsOf(path: string, sheet: Worksheet, limits: FileLimits): AsyncGenerator<RawRow> {
  const workbook = await openWorkbook(path, limits);
  try {
    for await (const batch of workbook.rows(sheet)) yield* batch;
  } finally {
    await workbook.close();
  }
}

/** Applies the limits of a table with a header and lines above it. */
async function* withinLimits(file: string, sheet: RawSheet, limits: FileLimits): AsyncGenerator<RawRow> {
  const where = sheet.name === "" ? { file } : { file, sheet: sheet.name };
  let count = 0;
  for await (const row of sheet.rows()) {
    count += 1;
    if (count > limits.rowsMax + HEADER_LINE_MAX)
      throw tooMany("rows", limits.rowsMax, { ...where, line: row.line });
    if (row.cells.length > limits.columnsMax)
      throw tooMany("columns", limits.columnsMax, { ...where, line: row.line });
    yield row;
  }
}
