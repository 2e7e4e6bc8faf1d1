/** What every rule between a row's columns is given. */
import type { Problem } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import type { Label, RowReading } from "./row-schema.ts";

export interface RuleContext {
  readonly reading: RowReading;
  readonly policy: InitiationPolicy;
  readonly label: Label;
  /** Whether the file has the column at all; a missing column is said once, not in every row. */
  readonly hasColumn: (column: ColumnName) => boolean;
  /** Where the name of the amount's column says it. */
  readonly amountCurrency: string | undefined;
  readonly report: (column: ColumnName, what: Problem) => void;
  readonly warn: (column: ColumnName, what: Problem) => void;
}
