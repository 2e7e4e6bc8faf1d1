/** The messages between the two threads that read a workbook. Each request gets one reply, in order. */
import type { Problem } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import type { ForbiddenContent } from "./forbidden-content.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { SheetFeature } from "./sheet-features.ts";
import type { Workbook, Worksheet } from "./workbook.ts";

/** The first message of the thread. */
export const STARTED = "started";

export type Request =
  | { readonly kind: "open"; readonly path: string; readonly limits: FileLimits }
  /** Starts at the sheet's first row, whatever was read before. */
  | { readonly kind: "sheet"; readonly sheet: Worksheet }
  | { readonly kind: "rows" }
  /** After the last row of a sheet: searches outside its cells; without a sheet, everywhere. */
  | { readonly kind: "forbidden content"; readonly sheetRead: Worksheet | undefined }
  | { readonly kind: "close" };

export interface Replies {
  readonly open: Pick<Workbook, "sheets" | "dateSystem">;
  readonly sheet: undefined;
  /** Undefined after the last row. */
  readonly rows: SheetBatch | undefined;
  readonly "forbidden content": ForbiddenContent | undefined;
  readonly close: { readonly heapBytes: number };
}

export type Reply =
  | { readonly result: Replies[Request["kind"]] }
  | { readonly problem: Problem }
  /** The message of an unexpected error, which is not a Fault. */
  | { readonly failure: string };

/** Some rows, and the features found since the batch before. */
export interface SheetBatch {
  readonly rows: PackedRows;
  readonly features: readonly SheetFeature[];
}
