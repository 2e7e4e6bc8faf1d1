/** A file's cells as JSON in the documented form. */

import type { FileRows, SheetRows } from "../../files/rows-step.ts";
import { type Cell, textOf } from "../../model/grid.ts";

/**
 * In the list of rows, the index is the line from 0; an empty list is a line on which no row begins. Encoding and
 * delimiter are those of a CSV.
 */
export function fileRowsJson({ verdict, format, csv, sheets, problems }: FileRows) {
  return {
    verdict,
    format: format ?? null,
    ...(csv === undefined ? {} : { encoding: csv.encoding, delimiter: csv.delimiter }),
    sheets: sheets.map(sheetJson),
    problems,
  };
}

function sheetJson({ name, visibility, lines }: SheetRows) {
  const rows: object[][] = [];
  for (const { line, cells } of lines) {
    while (rows.length < line - 1) rows.push([]);
    rows.push(cells.map((cell) => ({ kind: kindOf(cell), text: textOf(cell) })));
  }
  return { name, visible: visibility === "visible", rows };
}

export function kindOf(cell: Cell): string {
  if (cell === "") return "empty";
  return typeof cell === "string" ? "text" : cell.kind;
}
