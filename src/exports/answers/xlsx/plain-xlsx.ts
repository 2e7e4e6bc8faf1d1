/**
 * Writes an answer as a new workbook with only the table, for a sent workbook that contains a private key. Cells keep
 * their kind and marked ones are red with the reason as a comment; formats and other sheets are not returned.
 */
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import ExcelJS from "exceljs";
import { ANSWER_MARK, type TitleLine } from "../../../model/index.ts";
import { mayBelongToKey } from "../../../model/private-key.ts";
import { type AnswerContent, type AnswerLine, type SummaryLine, WITHHELD } from "../answer-line.ts";
import { textValue, writeCell } from "./plain-cell.ts";
import { SUMMARY_SHEET } from "./summary-sheet.ts";

const MARKED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: ANSWER_MARK } };

/** exceljs has no backpressure; a pause after this many rows lets its buffers reach the disk. */
const ROWS_BETWEEN_PAUSES = 500;

export async function writePlainXlsx(path: string, content: AnswerContent): Promise<void> {
  const stream = createWriteStream(path);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    useSharedStrings: false,
  });
  // exceljs listens to its stream only at the end; without this a full disk would end the process.
  const written = finished(stream);
  const filled = fill(workbook, stream, content);
  try {
    await Promise.race([written, filled]);
    await written;
  } catch (error) {
    stream.destroy();
    // The first error is reported; those that follow from it must not end the process as unhandled rejections.
    filled.catch(() => undefined);
    written.catch(() => undefined);
    throw error;
  }
}

/** Writes everything into the workbook; gives up when its stream breaks. */
async function fill(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  stream: Writable,
  { sheet: sentName, headerLine, dropped, titleLines, lines, summary }: AnswerContent,
): Promise<void> {
  const ySplit = titleLines.length + 1;
  const sheet = workbook.addWorksheet(safeSheetName(sentName), { views: [{ state: "frozen", ySplit }] });
  for (const title of titleLines) addTitle(sheet, title);
  let count = 0;
  for await (const line of lines) {
    addLine(sheet, line, dropped, line.line === headerLine);
    count += 1;
    if (count % ROWS_BETWEEN_PAUSES > 0) continue;
    await new Promise((resume) => setImmediate(resume));
    if (stream.destroyed) return;
  }
  sheet.commit();
  addSummary(workbook, summary());
  await workbook.commit();
}

const WITHHELD_CELL = { kind: "text", text: WITHHELD } as const;

/** Declarations above the header must be sent again with the corrected file. */
function addTitle(sheet: ExcelJS.Worksheet, { cells }: TitleLine): void {
  const row = sheet.addRow([]);
  cells.forEach((cell, index) => {
    writeCell(row.getCell(index + 1), mayBelongToKey(cell.text) ? WITHHELD_CELL : cell);
  });
  row.commit();
}

function addLine(
  sheet: ExcelJS.Worksheet,
  { cells, added, remarks, withheld }: AnswerLine,
  dropped: ReadonlySet<number>,
  isHeader: boolean,
): void {
  const row = sheet.addRow([]);
  cells.forEach((cell, index) => {
    if (dropped.has(index)) return;
    const target = row.getCell(index + 1);
    writeCell(target, withheld.has(index) || mayBelongToKey(cell.text) ? WITHHELD_CELL : cell);
    const remark = remarks.get(index);
    if (remark === undefined) return;
    target.fill = MARKED;
    target.note = { texts: [{ text: remark }] };
  });
  added.forEach((text, index) => {
    writeCell(row.getCell(cells.length + index + 1), { kind: "text", text });
  });
  if (isHeader) row.font = { bold: true };
  row.commit();
}

function addSummary(workbook: ExcelJS.stream.xlsx.WorkbookWriter, summary: readonly SummaryLine[]): void {
  if (summary.length === 0) return;
  const sheet = workbook.addWorksheet(SUMMARY_SHEET);
  sheet.getColumn(1).width = 28;
  sheet.getColumn(2).width = 68;
  for (const [label, value] of summary) {
    const row = sheet.addRow([label, textValue(value)]);
    row.getCell(1).font = { bold: true };
    row.commit();
  }
  sheet.commit();
}

/** Excel's rules: at most 31 characters, none of []:*?/\, no ' at either end. */
function safeSheetName(name: string | undefined): string {
  const safe = (name ?? "")
    .replace(/[[\]:*?/\\]/g, "_")
    .slice(0, 31)
    .replace(/^'+|'+$/g, "");
  return safe.trim() === "" ? "Payouts" : safe;
}
