/**
 * An answer workbook of many rows with 1,000 problems, and its yardstick: exceljs's stream writer as its
 * documentation has it, with the same cells of the sender's sheet and our column, without links, comments and
 * colours.
 */

import { problem } from "../src/faults/index.ts";
import { writeRejectedAnswer } from "../src/files/answers/index.ts";
import type { Line } from "../src/model/grid.ts";
import type { PaymentLine } from "../src/model/sheet-reading.ts";
import { gridOf, readingOf } from "../test/files/answers/sent-files.ts";

const PROBLEMS = 1_000;
const SENT_COLUMNS = 20;

export async function writeAnswer(path: string, rows: number): Promise<number> {
  const lines: Line[] = [{ line: 1, cells: HEADER }];
  const payments: PaymentLine[] = [];
  for (let row = 1; row <= rows; row += 1) {
    lines.push({ line: row + 1, cells: sentCells(row) });
    const problems = isWrong(row, rows) ? [problem("VALUE_MISSING", { field: "amount" }, placeOf(row))] : [];
    payments.push({ row, line: row + 1, problems, warnings: [] });
  }
  const grid = gridOf("xlsx", [], { lines });
  await writeRejectedAnswer({
    path,
    file: "sent.xlsx",
    grid,
    reading: readingOf(grid),
    rows: payments,
    fileProblems: [],
    warnings: [],
    rowsAccepted: 0,
    holdsSecret: false,
  });
  return rows;
}

/** With a pause for what the writer holds to reach the disk. */
export async function writeAlone(path: string, rows: number): Promise<number> {
  const { default: ExcelJS } = await import("exceljs");
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true });
  const sheet = workbook.addWorksheet("Payouts");
  sheet.addRow([...HEADER, "paydrop: problems (sent.xlsx)"]).commit();
  for (let row = 1; row <= rows; row += 1) {
    const text = `line ${row + 1}, amount: amount is empty - Fill in amount.`;
    sheet.addRow(isWrong(row, rows) ? [...sentCells(row), text] : sentCells(row)).commit();
    if (row % 500 === 0) await new Promise(setImmediate);
  }
  sheet.commit();
  await workbook.commit();
  return rows;
}

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const KNOWN = ["reference", "amount", "destinationAddress"];
const OTHERS = Array.from({ length: SENT_COLUMNS - KNOWN.length }, (_, at) => `extra ${at}`);
const HEADER = [...KNOWN, ...OTHERS];

function sentCells(row: number): string[] {
  return [`PAY-${row}`, "0.00012345", ADDRESS, ...OTHERS.map((name) => `${name} of ${row}`)];
}

function isWrong(row: number, rows: number): boolean {
  return row % (rows / PROBLEMS) === 0;
}

function placeOf(row: number) {
  return { row, line: row + 1, column: "amount", cell: `B${row + 1}` };
}
