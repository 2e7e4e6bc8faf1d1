/** Sent files as a reader found them, for answers to be written from, and independent readers to read answers back. */
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import ExcelJS from "exceljs";
import type { Cell, Grid } from "../../../src/model/grid.ts";
import type { SheetReading } from "../../../src/model/sheet-reading.ts";

/** `lines`: from line 1 on; the first is the header. `more` may hold lines as they are read. */
export function gridOf(
  format: "csv" | "xlsx",
  lines: readonly (readonly Cell[])[],
  more: Partial<Grid> = {},
): Grid {
  return {
    format,
    dialect: "",
    ...(format === "xlsx" ? { sheet: "Payouts" } : {}),
    lines: lines.map((cells, index) => ({ line: index + 1, cells })),
    hiddenColumns: new Set(),
    columnWidths: new Map(),
    outside: [],
    pictureCount: 0,
    ...more,
  };
}

export function readingOf(grid: Grid, headerLine = 1): SheetReading {
  const header = grid.lines.find(({ line }) => line === headerLine)?.cells ?? [];
  return {
    format: grid.format,
    dialect: "",
    otherSheets: [],
    headerLine,
    header: header.map(String),
    columns: [],
    unread: [],
    notes: [],
    sections: [],
    totals: [],
    pictureCount: 0,
    questions: [],
  };
}

export async function readCsv(path: string): Promise<string[][]> {
  return parse(await readFile(path), { bom: true, relax_column_count: true });
}

export async function readXlsx(path: string): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

/** The cells of one sheet as exceljs shows them to a person. */
export function shown(workbook: ExcelJS.Workbook, sheetName: string): string[][] {
  const rows: string[][] = [];
  workbook.getWorksheet(sheetName)?.eachRow((row) => {
    const cells: string[] = [];
    row.eachCell({ includeEmpty: true }, (cell) => cells.push(cell.text));
    rows.push(cells);
  });
  return rows;
}
