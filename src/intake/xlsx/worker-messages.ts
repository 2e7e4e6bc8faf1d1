/** The messages between the two threads that read a workbook. Each request gets one reply, in order. */
import type { Problem } from "../../faults/index.ts";
import type { ComparedCells, Line, OutsideText, SecondReading, SheetHead } from "../../model/grid.ts";
import type { FileLimits } from "../file-limits.ts";

/** The first message of the thread. */
export const STARTED = "started";

export type Request =
  | { readonly kind: "open"; readonly path: string; readonly limits: FileLimits }
  /** Starts at the sheet's first line, whatever was read before. */
  | { readonly kind: "sheet"; readonly name: string }
  | { readonly kind: "lines" }
  /** What the sheet says besides its lines; after the last of them. */
  | { readonly kind: "frame" }
  /** Of the sheet that was read. */
  | { readonly kind: "again"; readonly cells: ComparedCells }
  | { readonly kind: "close" };

export interface Replies {
  readonly open: { readonly dialect: string; readonly sheets: readonly SheetHead[] };
  readonly sheet: undefined;
  /** Undefined after the last line. */
  readonly lines: readonly Line[] | undefined;
  readonly frame: Frame;
  readonly again: SecondReading;
  readonly close: { readonly heapBytes: number };
}

export interface Frame {
  readonly hiddenColumns: ReadonlySet<number>;
  readonly columnWidths: ReadonlyMap<number, number>;
  readonly mergedRanges: readonly string[];
  readonly outside: readonly OutsideText[];
  readonly pictureCount: number;
}

export type Reply =
  | { readonly result: Replies[Request["kind"]] }
  | { readonly problem: Problem }
  /** The message of an unexpected error, which is not a Fault. */
  | { readonly failure: string };
