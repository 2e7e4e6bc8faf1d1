/** What was read of a row, and what every rule between its columns is given. */
import type { Problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import type { columnReaders } from "./cell-readers.ts";
import type { InitiationPolicy } from "./policy.ts";

type ColumnReaders = ReturnType<typeof columnReaders>;

/** A row's values; undefined if the cell is empty or could not be read. */
export type RowValues = {
  readonly [Name in ColumnName]: Exclude<ReturnType<ColumnReaders[Name]>, Problem> | undefined;
};

export interface ReadRow {
  readonly values: RowValues;
  /** The columns whose cells could not be read, each with its problem. */
  readonly unreadable: ReadonlyMap<ColumnName, Problem>;
}

/** What every rule between the columns of a row is given, and where it reports. */
export interface RowContext {
  readonly row: ReadRow;
  readonly policy: InitiationPolicy;
  /** A column's header as written, for messages. */
  readonly label: (column: ColumnName) => string;
  /** Whether the file has the column at all; a missing column is reported once, not per row. */
  readonly hasColumn: (column: ColumnName) => boolean;
  /** The currency in the name of the amount column. */
  readonly amountCurrency: string | undefined;
  readonly report: (column: ColumnName, what: Problem) => void;
  readonly warn: (column: ColumnName, what: Problem) => void;
}
