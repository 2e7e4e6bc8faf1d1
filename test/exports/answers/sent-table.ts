/** A sender's table that stands in memory, and the two independent readers that answers are read back with. */
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import ExcelJS from "exceljs";
import type { Cell, FileFormat, Table } from "../../../src/model/index.ts";

export const text = (value: string): Cell => ({ kind: "text", text: value });
export const number = (value: string): Cell => ({ kind: "number", text: value });

/** Lines count from the one below the header. */
export function sentTable(
  format: FileFormat,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Table {
  return {
    format,
    ...(format === "xlsx" && { sheet: "Payouts" }),
    dialect: "in memory",
    headerLine: 1,
    header,
    async *rows() {
      for (const [index, cells] of rows.entries())
        yield { row: index + 1, line: index + 2, cells, problems: [] };
    },
  };
}

export async function readCsv(path: string): Promise<string[][]> {
  return parse(await readFile(path), { bom: true, record_delimiter: "\r\n" });
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
