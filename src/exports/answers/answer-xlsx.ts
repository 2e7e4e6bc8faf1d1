/**
 * Writes an answer as a new workbook: a summary sheet first, then the sender's lines with their values, number formats
 * and widths, wrong cells red, and our columns behind. Formulas come back as their values.
 */
import type ExcelJS from "exceljs";
import type { Problem } from "../../faults/index.ts";
import { type PlainCell, resultOf } from "../../model/grid.ts";
import { ANSWER_MARK, columnLetters, SUMMARY_SHEET } from "../../model/index.ts";
import type { Answer, Summary } from "./answer.ts";
import { FINDINGS_MAX, leftOut } from "./answer.ts";
import { positionOf, type SentLine, sentLines, sentWidth } from "./sent-lines.ts";

export async function writeAnswerXlsx(path: string, answer: Answer): Promise<void> {
  // exceljs takes longer to load than most commands run, and a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true });
  const sheetName = sheetNameOf(answer.grid.sheet);
  addSummary(workbook, answer, sheetName);
  await addLines(workbook, answer, sheetName);
  await workbook.commit();
}

/** Never the summary's own, in case somebody called their sheet so. */
function sheetNameOf(sheet = "Payouts"): string {
  return sheet.toLowerCase() === SUMMARY_SHEET.toLowerCase() ? "Payouts" : sheet;
}

/** The font of all other cells; without a name, programs choose any. */
const BOLD = { name: "Calibri", size: 11, bold: true };
const LARGE = { name: "Calibri", size: 14, bold: true };
const LINKED = { name: "Calibri", size: 11, underline: true, color: { argb: "FF0563C1" } };
const STRUCK = { name: "Calibri", size: 11, strike: true };
const RED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: ANSWER_MARK } };
const OURS: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFE8EEF2" } };
const WRAPPED: Partial<ExcelJS.Alignment> = { wrapText: true, vertical: "top" };

function addSummary(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  { summary, reading }: Answer,
  sheetName: string,
): void {
  const sheet = workbook.addWorksheet(SUMMARY_SHEET, { properties: { defaultColWidth: 14 } });
  for (const [index, width] of [34, 64, 70].entries()) sheet.getColumn(index + 1).width = width;
  const title = sheet.addRow([summary.sentence]);
  title.font = LARGE;
  for (const { heading, facts } of summary.groups) {
    sheet.addRow([]);
    sheet.addRow([heading]).font = BOLD;
    for (const [label, value] of facts) sheet.addRow([label, value]).alignment = WRAPPED;
  }
  addFindings(sheet, summary, reading.header, sheetName);
  sheet.commit();
}

function addFindings(
  sheet: ExcelJS.Worksheet,
  { findings }: Summary,
  header: readonly string[],
  sheetName: string,
): void {
  if (findings.length === 0) return;
  sheet.addRow([]);
  sheet.addRow(["Where", "What", "What to do"]).font = BOLD;
  for (const found of findings.slice(0, FINDINGS_MAX)) {
    const row = sheet.addRow([placeOf(found, header, sheetName), found.message, found.fix]);
    row.alignment = WRAPPED;
    if (found.line !== undefined) row.getCell(1).font = LINKED;
  }
  for (const text of leftOut(findings.length)) sheet.addRow([text]);
}

/** A link to the cell, as people name it: "C4 (amount)". */
function placeOf(found: Problem, header: readonly string[], sheetName: string): ExcelJS.CellValue {
  const { line, column } = found;
  if (line === undefined) return "the file";
  const position = positionOf(found, header);
  const cell = position === undefined ? `A${line}` : `${columnLetters(position)}${line}`;
  const named = position === undefined ? `line ${line}` : cell;
  const text = column === undefined || column === named ? named : `${named} (${column})`;
  return { text, hyperlink: `#'${sheetName.replaceAll("'", "''")}'!${cell}` };
}

async function addLines(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  answer: Answer,
  sheetName: string,
): Promise<void> {
  const { reading, columns } = answer;
  const width = sentWidth(answer);
  const sheet = workbook.addWorksheet(sheetName, {
    views: [{ state: "frozen", ySplit: reading.headerLine }],
  });
  sheet.autoFilter = {
    from: { row: reading.headerLine, column: 1 },
    to: { row: reading.headerLine, column: width + columns.length },
  };
  setWidths(sheet, answer, width);
  let remarksLeft = FINDINGS_MAX;
  for (const sent of sentLines(answer)) {
    const row = sheet.getRow(sent.line);
    remarksLeft -= addLine(row, sent, width, sent.line === reading.headerLine, remarksLeft);
    if (sent.isHidden === true) row.hidden = true;
    row.commit();
    // The stream writer has no backpressure of its own.
    if (sent.line % LINES_AT_ONCE === 0) await new Promise(setImmediate);
  }
  sheet.commit();
}

const LINES_AT_ONCE = 500;

function setWidths(sheet: ExcelJS.Worksheet, { grid, columns }: Answer, width: number): void {
  for (const [at, characters] of grid.columnWidths)
    if (at < width) sheet.getColumn(at + 1).width = characters;
  for (const at of grid.hiddenColumns) if (at < width) sheet.getColumn(at + 1).hidden = true;
  for (const [index, name] of columns.entries())
    sheet.getColumn(width + index + 1).width =
      WIDTHS[name.split(" (")[0] ?? ""] ?? Math.max(18, name.length + 2);
}

/** In characters, by the names of our columns. */
const WIDTHS: Readonly<Record<string, number>> = {
  "paydrop: problems": 80,
  "paydrop: standing": 40,
  "paydrop: payoutId": 38,
  "paydrop: txHash": 66,
  "paydrop: error": 60,
  "paydrop: note": 60,
};

/** Fills a row; returns how many comments it got. */
function addLine(
  row: ExcelJS.Row,
  { cells, added, remarks }: SentLine,
  width: number,
  isHeader: boolean,
  remarksLeft: number,
): number {
  let commented = 0;
  for (let at = 0; at < cells.length; at += 1) {
    const cell = resultOf(cells[at] ?? "");
    if (cell !== "") setCell(row.getCell(at + 1), cell);
  }
  for (const [at, remark] of remarks) {
    const cell = row.getCell(at + 1);
    // A style is shared between cells, so it is replaced and never changed.
    cell.style = { ...cell.style, fill: RED };
    if (commented >= remarksLeft) continue;
    cell.note = remark;
    commented += 1;
  }
  for (let at = 0; at < added.length; at += 1) {
    const text = added[at] ?? "";
    if (text === "") continue;
    const cell = row.getCell(width + at + 1);
    cell.value = text;
    if (isHeader) cell.style = { font: BOLD, fill: OURS };
  }
  return commented;
}

/** Of such a text a program would make a number once somebody corrects it. */
const LIKE_A_NUMBER = /^[\d.,]+$/;
const TEXT_FORMAT = { numFmt: "@" };

/** As it was sent, so that a corrected answer reads back equal. */
function setCell(target: ExcelJS.Cell, cell: Exclude<PlainCell, "">): void {
  if (typeof cell === "string") {
    target.value = cell;
    if (LIKE_A_NUMBER.test(cell)) target.style = TEXT_FORMAT;
    return;
  }
  target.value = cellValue(cell);
  if ("format" in cell && cell.format !== undefined) target.style = { numFmt: cell.format };
  else if (cell.kind === "text") target.style = TEXT_FORMAT;
  // What was struck out, or in parts, must not come back as something to be paid.
  if ("flaw" in cell && (cell.flaw === "struck out" || cell.flaw === "in parts"))
    target.style = { ...target.style, font: STRUCK };
}

function cellValue(cell: Exclude<PlainCell, string>): ExcelJS.CellValue {
  switch (cell.kind) {
    case "number":
      // A workbook keeps doubles; the same one reads back as the same amount.
      return Number.parseFloat(cell.text);
    case "date":
      return /^\d{4}-/.test(cell.text)
        ? new Date(cell.text.includes("T") ? `${cell.text}Z` : cell.text)
        : cell.text;
    case "boolean":
      return cell.text === "true";
    case "error":
    case "text":
      return cell.text;
  }
}
