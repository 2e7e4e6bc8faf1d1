/** What the two threads that read a workbook say to each other. Each request gets one reply, in the order of the requests. */
import type { Problem } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import type { ConditionalFormat } from "./conditional-formats.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Workbook, Worksheet } from "./workbook.ts";

export type Request =
  | { readonly kind: "open"; readonly path: string; readonly limits: FileLimits }
  /** From its first row on, whatever was read before. */
  | { readonly kind: "sheet"; readonly sheet: Worksheet }
  | { readonly kind: "rows" }
  /** Behind the last row of a sheet: where a private key stands besides its cells; without a sheet, anywhere. */
  | { readonly kind: "key"; readonly besides: Worksheet | undefined }
  | { readonly kind: "close" };

export interface Replies {
  readonly open: Pick<Workbook, "sheets" | "dateSystem">;
  readonly sheet: undefined;
  /** Undefined behind the last row. */
  readonly rows: SheetBatch | undefined;
  /** In words. */
  readonly key: string | undefined;
  readonly close: { readonly heapBytes: number };
}

export type Reply =
  | { readonly result: Replies[Request["kind"]] }
  | { readonly problem: Problem }
  /** An error that is no Fault: something nobody thought of. */
  | { readonly failure: string };

/** Some rows, and what stands between them. */
export interface SheetBatch {
  readonly rows: PackedRows;
  /** First and last, from 0, of each range. */
  readonly hiddenColumns: readonly (readonly [first: number, last: number])[];
  readonly mergedCells: readonly string[];
  readonly conditionalFormats: readonly ConditionalFormat[];
  readonly coveredCells: readonly string[];
}
