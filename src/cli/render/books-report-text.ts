/** Renders a report of the books for a terminal: its sentence, and each of its tables. */
import { type BooksReport, type Cell, figureText, isFigure, type ReportTable } from "../../books/index.ts";
import type { Colors } from "../output.ts";
import { lines } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";

export function booksReportText({ title, sentence, tables }: BooksReport, colors: Colors): string {
  return lines(
    colors.bold(title),
    sentence,
    ...tables.flatMap((table) => [
      "",
      tables.length > 1 && colors.bold(table.name),
      table.rows.length === 0 ? "nothing" : tableText(table),
    ]),
  );
}

function tableText({ columns, rows }: ReportTable): string {
  return textTable(
    columns.map(({ title, is }) => (is === "text" ? title : figures(title))),
    rows.map(({ cells }) => columns.map(({ key }) => cellText(cells[key]))),
  );
}

function cellText(cell: Cell): string {
  if (cell === undefined) return "";
  return isFigure(cell) ? figureText(cell) : String(cell);
}
