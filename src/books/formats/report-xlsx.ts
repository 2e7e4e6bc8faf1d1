/** A report of the books as a workbook: a sheet by table; sums and differences are formulas with their results. */
import type ExcelJS from "exceljs";
import { columnLetters } from "../../model/cell-reference.ts";
import { isExactInWorkbook } from "../../model/workbook-amount.ts";
import { addFilter, addRow, addSheet, addTable, BOLD, LARGE, setSum } from "../../writing/workbook.ts";
import {
  type BooksReport,
  type Cell,
  type Formula,
  isFigure,
  type ReportFigure,
  type ReportTable,
} from "../rules/reports/report-table.ts";

/** `createdAt`: the creation time in the file's properties. */
export async function reportXlsx(report: BooksReport, createdAt: string): Promise<Buffer> {
  // exceljs takes longer to load than most commands run, and takes a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  workbook.created = workbook.modified = new Date(createdAt);
  for (const table of report.tables) addReportTable(workbook, table);
  const about = addSheet(workbook, "About", [110]);
  about.addRow([report.title]).font = LARGE;
  addRow(about, [report.sentence]);
  for (const { name, note } of report.tables) addRow(about, [`${name}: ${note}`]);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

function addReportTable(workbook: ExcelJS.Workbook, table: ReportTable): void {
  const { name, columns, rows } = table;
  const sheet = addTable(
    workbook,
    name,
    columns.map(({ title, width }) => [title, width] as const),
  );
  let isFiltered = false;
  for (const [index, { cells, isTotal }] of rows.entries()) {
    if (isTotal === true && !isFiltered) addFilter(sheet);
    isFiltered ||= isTotal === true;
    const row = addRow(
      sheet,
      columns.map(({ key }) => sheetValue(cells[key])),
    );
    for (const [at, { key }] of columns.entries()) {
      const cell = cells[key];
      if (isFigure(cell) && cell.formula !== undefined)
        setSum(
          row.getCell(at + 1),
          formulaText(cell.formula, index, table),
          amountOf(cell),
          canCompute(cell.formula, index, table),
        );
    }
    if (isTotal === true) row.font = BOLD;
  }
  if (!isFiltered) addFilter(sheet);
}

function sheetValue(cell: Cell): string | number | ReturnType<typeof amountOf> {
  if (cell === undefined) return "";
  return isFigure(cell) ? amountOf(cell) : cell;
}

function amountOf({ value, currency }: ReportFigure): { readonly amount: string; readonly currency: string } {
  return { amount: value.toString(), currency };
}

/** The head is row 1 of the sheet. */
const FIRST_ROW = 2;

function formulaText(formula: Formula, index: number, table: ReportTable): string {
  const columnOf = (key: string) => columnLetters(table.columns.findIndex((column) => column.key === key));
  const at = FIRST_ROW + index;
  if ("sum" in formula) {
    const range = (key: string) =>
      `$${columnOf(key)}$${FIRST_ROW + formula.from}:$${columnOf(key)}$${FIRST_ROW + formula.to}`;
    const { sum, where } = formula;
    if (where === undefined) return `SUM(${range(sum)})`;
    return `SUMIFS(${range(sum)},${range(where.column)},${columnOf(where.column)}${at})`;
  }
  const names = (cells: typeof formula.plus) =>
    cells.map(({ column, up = 0 }) => `${columnOf(column)}${at - up}`);
  return [names(formula.plus).join("+"), ...names(formula.minus)].join("-");
}

/** Whether each figure in the formula is a number in the sheet; a figure with too many digits is a text. */
function canCompute(formula: Formula, index: number, { rows }: ReportTable): boolean {
  const isNumber = (row: number, column: string) => {
    const cell = rows[row]?.cells[column];
    return !isFigure(cell) || isExactInWorkbook(cell.value.toString());
  };
  if ("sum" in formula) {
    const { sum, from, to, where } = formula;
    return rows
      .slice(from, to + 1)
      .every(
        ({ cells }, at) =>
          (where !== undefined && cells[where.column] !== where.is) || isNumber(from + at, sum),
      );
  }
  return [...formula.plus, ...formula.minus].every(({ column, up = 0 }) => isNumber(index - up, column));
}
