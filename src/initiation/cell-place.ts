/** The position of a cell in its file, in the form of a problem's `where`. */
import type { Where } from "../faults/index.ts";
import { columnLetters, type Row, type Table } from "../model/index.ts";

/** `position` counts from 0; `name` stands in for a column that the header does not have. */
export function cellPlace(
  { format, sheet, header }: Pick<Table, "format" | "sheet" | "header">,
  { row, line }: Pick<Row, "row" | "line">,
  position: number | undefined,
  name = "",
): Where {
  const isSheet = format === "xlsx";
  return {
    ...(isSheet && sheet !== undefined ? { sheet } : {}),
    row,
    line,
    column: header[position ?? -1] ?? name,
    ...(isSheet && position !== undefined ? { cell: `${columnLetters(position)}${line}` } : {}),
  };
}
