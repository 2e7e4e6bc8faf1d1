/**
 * Sheets of a workbook for people: tables with fixed heads and filters that fit the width of a page. Amounts are
 * numbers if programs show all their digits, and sums are formulas with stored results.
 */
import type ExcelJS from "exceljs";
import { decimalsShown } from "../model/amount-html.ts";
import { guardFormula } from "../model/index.ts";
import { printableLine } from "../model/printable-text.ts";
import { asDouble, isExactInWorkbook } from "../model/workbook-amount.ts";
import { Decimal } from "../money/index.ts";

export const BOLD = { name: "Calibri", size: 11, bold: true };
export const LARGE = { name: "Calibri", size: 14, bold: true };
const HEAD: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFE8EEF2" } };
const WRAPPED: Partial<ExcelJS.Alignment> = { wrapText: true, vertical: "top" };
/** Fits the width of a page, with the head on every page. */
const ON_PAPER = { orientation: "landscape", fitToPage: true, fitToWidth: 1, fitToHeight: 0 } as const;

type Value = ExcelJS.CellValue | Figure;

export interface Figure {
  readonly amount: string | undefined;
  readonly currency: string;
}

export function addSheet(
  workbook: ExcelJS.Workbook,
  name: string,
  widths: readonly number[],
): ExcelJS.Worksheet {
  const sheet = workbook.addWorksheet(name, { pageSetup: { ...ON_PAPER } });
  for (const [index, width] of widths.entries()) sheet.getColumn(index + 1).width = width;
  return sheet;
}

/** Adds a sheet with one table: its head stays in view and on each page, and filters its rows. */
export function addTable(
  workbook: ExcelJS.Workbook,
  name: string,
  columns: readonly (readonly [title: string, width: number])[],
): ExcelJS.Worksheet {
  const sheet = addSheet(
    workbook,
    name,
    columns.map(([, width]) => width),
  );
  addHead(
    sheet,
    columns.map(([title]) => title),
  );
  sheet.views = [{ state: "frozen", ySplit: 1, xSplit: 1 }];
  sheet.pageSetup.printTitlesRow = "1:1";
  return sheet;
}

export function addHead(sheet: ExcelJS.Worksheet, titles: readonly string[]): void {
  const row = sheet.addRow([...titles]);
  row.font = BOLD;
  row.alignment = WRAPPED;
  for (const at of titles.keys()) row.getCell(at + 1).fill = HEAD;
  fitHeight(row, titles);
}

/**
 * Not every program computes the height of a row with wrapped texts. The factor allows for words that begin another
 * line.
 */
function fitHeight(row: ExcelJS.Row, values: readonly Value[]): void {
  const lines = values.map((value, index) => {
    const width = row.worksheet.getColumn(index + 1).width ?? 1;
    if (typeof value !== "string" || value.length <= width) return 1;
    return Math.ceil((value.length * 1.3) / width);
  });
  const most = Math.min(Math.max(1, ...lines), LINES_SHOWN_MAX);
  if (most > 1) row.height = most * POINTS_A_LINE;
}

const LINES_SHOWN_MAX = 20;
const POINTS_A_LINE = 15;

/** Call it once the sheet has its rows. */
export function addFilter(sheet: ExcelJS.Worksheet): void {
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: sheet.rowCount, column: sheet.columnCount } };
}

export function addRow(sheet: ExcelJS.Worksheet, values: readonly Value[]): ExcelJS.Row {
  const row = sheet.addRow([]);
  for (const [index, value] of values.entries()) {
    const cell = row.getCell(index + 1);
    cell.alignment = WRAPPED;
    if (typeof value === "string") cell.value = textOf(value);
    else if (typeof value === "object" && value !== null && "amount" in value) setFigure(cell, value);
    else cell.value = value;
  }
  fitHeight(row, values);
  return row;
}

/**
 * A text on one line that no program runs as a formula, even after somebody has edited the cell or saved it as a
 * CSV.
 */
export function textOf(text: string): string {
  return guardFormula(printableLine(text.toWellFormed())).slice(0, CELL_CHARACTERS_MAX);
}

const CELL_CHARACTERS_MAX = 32_767;

/** Writes a number if programs show all its digits, otherwise a text; without an amount a dash. */
function setFigure(cell: ExcelJS.Cell, { amount, currency }: Figure): void {
  if (amount === undefined) {
    cell.value = "unknown";
    cell.alignment = { ...WRAPPED, horizontal: "right" };
    return;
  }
  const value = Decimal.of(amount);
  const column = cell.worksheet.getColumn(cell.col);
  const characters = value.rounded(decimalsShown(value, currency)).toString().length + 3;
  column.width = Math.max(column.width ?? 0, characters);
  cell.numFmt = isExactInWorkbook(amount) ? formatFor(decimalsShown(value, currency)) : "@";
  cell.value = isExactInWorkbook(amount) ? asDouble(amount) : amount;
  cell.alignment = { ...WRAPPED, horizontal: "right" };
}

function formatFor(decimals: number): string {
  // Leaves a little space before the currency.
  return decimals === 0 ? "#,##0_-" : `#,##0.${"0".repeat(decimals)}_-`;
}

/** A formula with its known result, if it can be computed from numbers; otherwise the amount itself. */
export function setSum(cell: ExcelJS.Cell, formula: string, sum: Figure, canCompute: boolean): void {
  setFigure(cell, sum);
  if (sum.amount === undefined || !canCompute || !isExactInWorkbook(sum.amount)) return;
  const decimals = decimalsShown(Decimal.of(sum.amount), sum.currency);
  cell.value = { formula: `ROUND(${formula},${decimals})`, result: asDouble(sum.amount) };
}
