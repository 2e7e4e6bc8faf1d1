/** Writes an answer as a workbook: every cell keeps its kind, marked cells are red with the reason as their comment. */
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import ExcelJS from "exceljs";
import { ANSWER_COLUMNS } from "../../model/index.ts";
import type { AnswerLine, SummaryLine } from "./answer-line.ts";
import { textValue, writeCell } from "./xlsx-cell.ts";

const MARKED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFC7CE" } };

/** exceljs has no backpressure; a pause this often lets what it holds reach the disk. */
const ROWS_BETWEEN_PAUSES = 500;

export async function writeAnswerXlsx(
  path: string,
  sheetName: string | undefined,
  lines: AsyncIterable<AnswerLine>,
  summary: () => readonly SummaryLine[],
): Promise<void> {
  const stream = createWriteStream(path);
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    useSharedStrings: false,
  });
  // exceljs listens to its stream only at the end: without this a full disk would end the process.
  const written = finished(stream);
  const filled = fill(workbook, stream, { sheetName: safeSheetName(sheetName), lines, summary });
  try {
    await Promise.race([written, filled]);
    await written;
  } catch (error) {
    stream.destroy();
    // The first error is the one to tell; what follows from it must not end the process as an unhandled one.
    filled.catch(() => undefined);
    written.catch(() => undefined);
    throw error;
  }
}

interface Content {
  readonly sheetName: string;
  readonly lines: AsyncIterable<AnswerLine>;
  readonly summary: () => readonly SummaryLine[];
}

/** Puts everything into the workbook; gives up when the stream beneath it broke. */
async function fill(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  stream: Writable,
  { sheetName, lines, summary }: Content,
): Promise<void> {
  const sheet = workbook.addWorksheet(sheetName, { views: [{ state: "frozen", ySplit: 1 }] });
  let count = 0;
  for await (const line of lines) {
    if (count === 0) setWidths(sheet, line);
    addLine(sheet, line, count === 0);
    count += 1;
    if (count % ROWS_BETWEEN_PAUSES > 0) continue;
    await new Promise((resume) => setImmediate(resume));
    if (stream.destroyed) return;
  }
  sheet.commit();
  addSummary(workbook, sheetName, summary());
  await workbook.commit();
}

/** Widths come before the first row in a streamed workbook, so they go by what a column holds, not by its longest text. */
function setWidths(sheet: ExcelJS.Worksheet, { cells, added }: AnswerLine): void {
  const headers = [...cells.map(({ text }) => text), ...added];
  for (const [index, header] of headers.entries()) {
    const known = WIDTHS.get(header) ?? WIDTH_OF_A_DATE;
    sheet.getColumn(index + 1).width = Math.max(known, Math.min(header.length + 2, WIDTH_OF_A_SENTENCE));
  }
}

/** In characters. */
const WIDTH_OF_A_DATE = 14;
const WIDTH_OF_A_SENTENCE = 60;
const WIDTHS: ReadonlyMap<string, number> = new Map([
  [ANSWER_COLUMNS.problems, WIDTH_OF_A_SENTENCE],
  [ANSWER_COLUMNS.note, WIDTH_OF_A_SENTENCE],
  [ANSWER_COLUMNS.standing, 24],
  [ANSWER_COLUMNS.payoutId, 38],
  [ANSWER_COLUMNS.txHash, 66],
  [ANSWER_COLUMNS.confirmedDate, 26],
]);

function addLine(sheet: ExcelJS.Worksheet, { cells, added, remarks }: AnswerLine, isHeader: boolean): void {
  const row = sheet.addRow([]);
  cells.forEach((cell, index) => {
    const target = row.getCell(index + 1);
    writeCell(target, cell);
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

function addSummary(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  sheetName: string,
  summary: readonly SummaryLine[],
): void {
  if (summary.length === 0) return;
  const name = sheetName.toLowerCase() === "summary" ? "Summary by Paydrop" : "Summary";
  const sheet = workbook.addWorksheet(name);
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
