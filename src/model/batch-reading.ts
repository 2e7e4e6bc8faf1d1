/** How a batch's file was read, stored for later answers and for approvers. */
import type { Problem } from "../faults/index.ts";
import type { CsvForm } from "./grid.ts";
import type { SheetReading } from "./sheet-reading.ts";

export interface BatchReading extends SheetReading {
  readonly csv?: CsvForm;
  /** The named sender whose layout it has. */
  readonly sender?: string;
  /** Whether it is a single payment that does not come from a file; such a payment is not compared with others. */
  readonly isSingle?: boolean;
  /** Warnings for a person, as found at intake. */
  readonly warnings: readonly Problem[];
  /** The outcome of payment lines that are not payments of the batch: "rejected", "accepted before ...". */
  readonly otherLines: readonly (readonly [line: number, standing: string])[];
}
