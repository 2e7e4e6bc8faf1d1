/** The texts beside payments in columns that are not read: of a file, and of a stored batch. */
import type { Grid } from "../../model/grid.ts";
import type { BatchId } from "../../model/index.ts";
import {
  columnsBeside,
  columnTitle,
  type SheetReading,
  type TextsBeside,
  textsBeside,
} from "../../model/sheet-reading.ts";
import { listTextsBeside } from "../../store/batch-rows.ts";
import type { Transaction } from "../../store/sql.ts";

type Columns = Pick<SheetReading, "unread">;

/** The texts of unread columns beside each payment, in file order; empty without such columns. */
export function rowsBeside(
  reading: Columns,
  { lines }: Pick<Grid, "lines">,
  payments: Iterable<{ readonly row: number; readonly line: number }>,
): TextsBeside["rows"] {
  const columns = columnsBeside(reading);
  if (columns.length === 0) return [];
  const rows = new Map<number, number>();
  for (const { line, row } of payments) rows.set(line, row);
  return lines.flatMap((each) => {
    const row = rows.get(each.line);
    return row === undefined ? [] : [{ row, texts: textsBeside(columns, each.cells) }];
  });
}

/** Undefined without such columns. */
export function withColumns(
  reading: Columns | undefined,
  rows: TextsBeside["rows"],
): TextsBeside | undefined {
  const columns = reading === undefined ? [] : columnsBeside(reading).map(columnTitle);
  return columns.length === 0 ? undefined : { columns, rows };
}

/** The texts beside some rows of a batch; undefined without such columns. */
export function* textsOfBatch(
  id: BatchId,
  reading: Columns | undefined,
  rows: readonly number[],
): Transaction<TextsBeside | undefined> {
  const none = withColumns(reading, []);
  return none && { ...none, rows: yield* listTextsBeside(id, rows) };
}
