/**
 * Writes an answer as a new workbook: a summary sheet first, then the sender's lines with their values, number
 * formats and widths, wrong cells red, and our columns after them. Formulas come back as their values.
 */
import type ExcelJS from "exceljs";
import type { Problem } from "../../faults/index.ts";
import { type Cell, type PlainCell, resultOf, textOf } from "../../model/grid.ts";
import { ANSWER_MARK, asRemark, columnLetters, SUMMARY_SHEET } from "../../model/index.ts";
import { type Answer, columnText, FINDINGS_MAX, leftOut, type SummaryGroup } from "./answer.ts";
import { positionOf, type SentLine, sentLines, sentWidth } from "./sent-lines.ts";

export async function writeAnswerXlsx(path: string, answer: Answer): Promise<void> {
  // exceljs takes longer to load than most commands run, and a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true });
  if (answer.madeAt !== undefined) workbook.created = workbook.modified = new Date(answer.madeAt);
  const { sheet = "Payouts" } = answer.grid;
  // Never the name of the summary, even if the sender's sheet has it.
  const sheetName = sheet.toLowerCase() === SUMMARY_SHEET.toLowerCase() ? "Payouts" : sheet;
  addSummary(workbook, answer, sheetName);
  await addLines(workbook, answer, sheetName);
  await workbook.commit();
}

/** The font of all other cells; without a name, programs choose any. */
const BOLD = { name: "Calibri", size: 11, bold: true };
const LARGE = { name: "Calibri", size: 14, bold: true };
const LINKED = { name: "Calibri", size: 11, underline: true, color: { argb: "FF0563C1" } };
const STRUCK = { name: "Calibri", size: 11, strike: true };
const RED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: ANSWER_MARK } };
const OURS: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFE8EEF2" } };
const TEXT_STYLE = { alignment: { wrapText: true } };
const WRAPPED: Partial<ExcelJS.Alignment> = { wrapText: true, vertical: "top" };

function addSummary(workbook: ExcelJS.stream.xlsx.WorkbookWriter, answer: Answer, sheetName: string): void {
  const { summary } = answer;
  const sheet = workbook.addWorksheet(SUMMARY_SHEET, {
    properties: { defaultColWidth: 14 },
    pageSetup: ON_PAPER,
  });
  for (const [index, width] of SUMMARY_WIDTHS.entries()) sheet.getColumn(index + 1).width = width;
  sheet.addRow([summary.sentence]).font = LARGE;
  addGroups(sheet, summary.groups);
  addFindings(sheet, answer, sheetName);
  addGroups(sheet, summary.background);
  sheet.commit();
}

function addGroups(sheet: ExcelJS.Worksheet, groups: readonly SummaryGroup[]): void {
  for (const { heading, facts } of groups) {
    sheet.addRow([]);
    sheet.addRow([heading]).font = BOLD;
    // A label without a value runs over the empty cells to its right.
    for (const [label, value] of facts)
      if (value === "") sheet.addRow([label]);
      else addWrapped(sheet, [label, value]);
  }
}

/** Fits the width of a page, so that a printed answer is not cut. */
const ON_PAPER = { orientation: "landscape", fitToPage: true, fitToWidth: 1, fitToHeight: 0 } as const;

/** In characters. The first is wide enough for a whole address. */
const SUMMARY_WIDTHS = [64, 80, 80];

function addFindings(sheet: ExcelJS.Worksheet, { summary, reading }: Answer, sheetName: string): void {
  const { findings } = summary;
  if (findings.length === 0) return;
  sheet.addRow([]);
  sheet.addRow(["Where", "What", "What to do"]).font = BOLD;
  for (const found of findings.slice(0, FINDINGS_MAX)) {
    const where = addWrapped(sheet, ["", found.message, found.fix]).getCell(1);
    where.value = placeOf(found, reading.header, sheetName);
    if (found.line !== undefined) where.font = LINKED;
  }
  for (const text of leftOut(findings.length)) sheet.addRow([text]);
}

function addWrapped(sheet: ExcelJS.Worksheet, texts: readonly string[]): ExcelJS.Row {
  const row = sheet.addRow(texts);
  row.alignment = WRAPPED;
  fitHeight(row, texts, SUMMARY_WIDTHS);
  return row;
}

/** Some programs do not compute the height of a row with wrapped texts. */
function fitHeight(row: ExcelJS.Row, texts: readonly string[], widths: readonly number[]): void {
  const lines = texts.map((text, at) => {
    const parts = text.split("\n").map((part) => Math.ceil(part.length / (widths[at] ?? 1)));
    return parts.reduce((sum, count) => sum + Math.max(count, 1), 0);
  });
  const most = Math.min(Math.max(...lines), LINES_SHOWN_MAX);
  if (most > 1) row.height = most * POINTS_A_LINE;
}

const LINES_SHOWN_MAX = 20;
const POINTS_A_LINE = 15;

/** A link to the cell, as people name it: "C4 (amount)". */
function placeOf(found: Problem, header: readonly string[], sheetName: string): ExcelJS.CellValue {
  const { line, column } = found;
  if (line === undefined) return "the file";
  const position = positionOf(found, header);
  const cell = position === undefined ? `A${line}` : `${columnLetters(position)}${line}`;
  const named = position === undefined ? `line ${line}` : cell;
  const words = column === undefined ? undefined : columnText(column, header);
  const text = words === undefined || words === named ? named : `${named} (${words})`;
  return { text, hyperlink: `#'${sheetName.replaceAll("'", "''")}'!${cell}` };
}

async function addLines(
  workbook: ExcelJS.stream.xlsx.WorkbookWriter,
  answer: Answer,
  sheetName: string,
): Promise<void> {
  const { grid, reading, columns } = answer;
  const width = sentWidth(answer);
  const sheet = workbook.addWorksheet(sheetName, {
    views: [{ state: "frozen", ySplit: reading.headerLine }],
    pageSetup: ON_PAPER,
  });
  sheet.autoFilter = {
    from: { row: reading.headerLine, column: 1 },
    to: { row: grid.lines.at(-1)?.line ?? reading.headerLine, column: width + columns.length },
  };
  const ours = setWidths(sheet, answer, width);
  let remarksLeft = FINDINGS_MAX;
  for (const sent of sentLines(answer)) {
    const row = sheet.getRow(sent.line);
    remarksLeft -= addLine(row, sent, remarksLeft);
    const style = sent.line === reading.headerLine ? { font: BOLD, fill: OURS } : TEXT_STYLE;
    for (const [at, text] of sent.added.entries())
      if (text !== "") Object.assign(row.getCell(width + at + 1), { value: text, style });
    if (sent.added.some((text) => text !== "")) fitHeight(row, sent.added, ours);
    if (sent.isHidden === true) row.hidden = true;
    row.commit();
    // The stream writer has no backpressure of its own.
    if (sent.line % LINES_AT_ONCE === 0) await new Promise(setImmediate);
  }
  sheet.commit();
}

const LINES_AT_ONCE = 100;

/** The widths of columns are those of so many lines. */
const LINES_MEASURED = 500;

/** Uses the sender's widths, or widths that fit the first texts. Returns the widths of our columns. */
function setWidths(sheet: ExcelJS.Worksheet, answer: Answer, width: number): number[] {
  const { grid, reading, columns, added } = answer;
  const isShown = ({ line }: SentLine) => line >= reading.headerLine;
  const shown = sentLines(answer).filter(isShown).take(LINES_MEASURED).toArray();
  const ours = columns.map(({ length }, at) =>
    widthFor([added.values().reduce((most, texts) => Math.max(most, texts[at]?.length ?? 0), length)]),
  );
  for (let at = 0; at < width; at += 1) {
    const needed = () => widthFor(shown.map(({ cells }) => lengthOf(cells[at] ?? "")));
    sheet.getColumn(at + 1).width = grid.columnWidths.get(at) ?? needed();
    if (grid.hiddenColumns.has(at)) sheet.getColumn(at + 1).hidden = true;
  }
  for (const [at, characters] of ours.entries()) sheet.getColumn(width + at + 1).width = characters;
  return ours;
}

function widthFor(lengths: readonly number[]): number {
  return Math.min(Math.max(...lengths, 8) + 2, 70);
}

/** In characters, including what a number format adds. */
function lengthOf(cell: Cell): number {
  const plain = resultOf(cell);
  return Math.max(
    textOf(plain).length,
    typeof plain === "object" && "format" in plain ? (plain.format?.length ?? 0) : 0,
  );
}

/** Fills in the sender's cells of a row; returns how many of our remarks it got. */
function addLine(row: ExcelJS.Row, { cells, remarks }: SentLine, remarksLeft: number): number {
  for (let at = 0; at < cells.length; at += 1) {
    const cell = resultOf(cells[at] ?? "");
    if (cell !== "") setCell(row.getCell(at + 1), cell);
  }
  let count = 0;
  for (const [at, remark] of remarks) {
    const cell = row.getCell(at + 1);
    // A style is shared between cells, so it is replaced and never changed.
    cell.style = { ...cell.style, fill: RED };
    if (count >= remarksLeft) continue;
    cell.note = asRemark(remark);
    count += 1;
  }
  return count;
}

/** A program would turn such a text into a number when the sender corrects it. */
const LIKE_A_NUMBER = /^[\d.,]+$/;
const TEXT_FORMAT = { numFmt: "@" };
/** One object for all texts: exceljs renders and keeps a style of its own for each new object. */
const PLAIN_TEXT = {};

/** Writes the cell as it was sent, so that a corrected answer reads back equal. */
function setCell(target: ExcelJS.Cell, cell: Exclude<PlainCell, "">): void {
  if (typeof cell === "string") {
    target.value = cell;
    target.style = LIKE_A_NUMBER.test(cell) ? TEXT_FORMAT : PLAIN_TEXT;
    return;
  }
  target.value = cellValue(cell);
  if ("format" in cell && cell.format !== undefined) target.style = { numFmt: cell.format };
  else if (cell.kind === "text") target.style = TEXT_FORMAT;
  // A text that was wholly or partly struck out must not come back as one to be paid.
  if ("flaw" in cell && (cell.flaw === "struck out" || cell.flaw === "in parts"))
    target.style = { ...target.style, font: STRUCK };
}

function cellValue({ kind, text }: Exclude<PlainCell, string>): ExcelJS.CellValue {
  // A workbook stores doubles; the same double reads back as the same amount.
  if (kind === "number") return Number.parseFloat(text);
  if (kind === "boolean") return text === "true";
  if (kind !== "date" || !/^\d{4}-/.test(text)) return text;
  return new Date(text.includes("T") ? `${text}Z` : text);
}
