/** Files as senders write them, opened as intake opens them, and independent readers to read answers back. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import ExcelJS from "exceljs";
import { payoutTableSigns } from "../../../src/initiation/index.ts";
import { DEFAULT_FILE_LIMITS, openTable } from "../../../src/intake/index.ts";
import type { FileFormat, Row, Table } from "../../../src/model/index.ts";
import { rowsOf } from "../../rows-of.ts";

/** The first table in the file whose header has a reference and an amount. */
export function opened(path: string): Promise<Table> {
  return openTable(path, { isHeader: payoutTableSigns({}).isHeader, limits: DEFAULT_FILE_LIMITS });
}

let written = 0;

/** Texts as a sender's CSV with commas, or as a workbook; line numbers start below the header. */
export async function sentTable(
  folder: string,
  format: FileFormat,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<Table> {
  written += 1;
  const path = join(folder, `sent-${written}.${format}`);
  if (format === "csv") await writeFile(path, stringify([[...header], ...rows.map((row) => [...row])]));
  else {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet("Payouts").addRows([header, ...rows]);
    await workbook.xlsx.writeFile(path);
  }
  return opened(path);
}

/** The rows of an answer as intake reads them when it is dropped again. */
export async function droppedAgain(path: string): Promise<{ readonly table: Table; readonly rows: Row[] }> {
  const table = await opened(path);
  return { table, rows: await rowsOf(table) };
}

export async function readCsv(path: string): Promise<string[][]> {
  return parse(await readFile(path), { bom: true });
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
