/** What is kept of how a batch's file was read, for later answers and for those who approve. */
import type { Problem } from "../faults/index.ts";
import type { CsvForm } from "./grid.ts";
import type { SheetReading } from "./sheet-reading.ts";

export interface BatchReading extends SheetReading {
  readonly csv?: CsvForm;
  /** The named sender whose layout it has. */
  readonly sender?: string;
  /** One payment that was not asked for by a file, which is compared with no others. */
  readonly isSingle?: boolean;
  /** What a person should know, as it was found at intake. */
  readonly warnings: readonly Problem[];
  /** What became of payment lines that are no payments of the batch: "rejected", "accepted before ...". */
  readonly otherLines: readonly (readonly [line: number, standing: string])[];
}
