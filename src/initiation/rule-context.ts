/** What every rule between the columns of a row is given, and where it reports. */
import type { Problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import type { Label, RowReading } from "./row-schema.ts";

export interface RuleContext {
  readonly reading: RowReading;
  readonly policy: InitiationPolicy;
  readonly label: Label;
  /** Whether the file has the column at all; a missing column is reported once, not per row. */
  readonly hasColumn: (column: ColumnName) => boolean;
  /** The currency in the name of the amount column. */
  readonly amountCurrency: string | undefined;
  readonly report: (column: ColumnName, what: Problem) => void;
  readonly warn: (column: ColumnName, what: Problem) => void;
}
