/**
 * A report of the books as CSV: plain figures, texts guarded against formulas, and the names of its tables if it
 * has several.
 */

import { decimalsShown } from "../../model/amount-html.ts";
import { BYTE_ORDER_MARK } from "../../model/index.ts";
import { csvOf, textCell } from "../../writing/cell-text.ts";
import { type BooksReport, type Cell, isFigure, type ReportTable } from "../rules/reports/report-table.ts";

/** RFC 4180, UTF-8 with a byte order mark, so that a double click opens it in a spreadsheet program. */
export function reportCsv({ tables }: BooksReport): string {
  const texts = tables.map((table) => {
    const rows = tableCells(table);
    return csvOf(tables.length === 1 ? rows : [[table.name], ...rows]);
  });
  return BYTE_ORDER_MARK + texts.join("\r\n");
}

function tableCells({ columns, rows }: ReportTable): string[][] {
  const body = rows.map(({ cells }) => columns.map(({ key }) => cellText(cells[key])));
  return [columns.map(({ title }) => textCell(title)), ...body];
}

function cellText(cell: Cell): string {
  if (cell === undefined) return "";
  if (isFigure(cell)) return figureText(cell);
  return typeof cell === "number" ? String(cell) : textCell(cell);
}

/** With all decimals of its currency, or more if the figure has more. */
export function figureText({ value, currency }: Extract<Cell, object>): string {
  return value.rounded(decimalsShown(value, currency)).toString();
}
