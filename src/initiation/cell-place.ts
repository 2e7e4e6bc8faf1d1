/** The position of a cell in its file, in the form of a problem's `where`. */
import type { Where } from "../faults/index.ts";
import { columnLetters, type Row, type Table } from "../model/index.ts";
import { present } from "../model/present.ts";

/** `position` counts from 0; `name` stands in for a column that the header does not have. */
export function cellPlace(
  { sheet, header }: Pick<Table, "sheet" | "header">,
  { row, line }: Pick<Row, "row" | "line">,
  position: number | undefined,
  name = "",
): Where {
  const place = { ...present({ sheet }), row, line, column: header[position ?? -1] ?? name };
  return sheet === undefined || position === undefined
    ? place
    : { ...place, cell: `${columnLetters(position)}${line}` };
}
