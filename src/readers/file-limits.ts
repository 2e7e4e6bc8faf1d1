/** Resource limits for reading one file, checked before memory or time is spent. */
import { type Fault, fault, type Where } from "../faults/index.ts";

export interface FileLimits {
  readonly bytesMax: number;
  /** For all parts of a workbook together, both as declared and as found. */
  readonly inflatedBytesMax: number;
  /** For the table of shared strings, which is held in memory. */
  readonly sharedStringsBytesMax: number;
  /** For each part other than the sheets and the shared strings. */
  readonly smallPartBytesMax: number;
  /** Inflated size divided by stored size, per part; parts under 1 MiB are exempt. */
  readonly inflationRatioMax: number;
  readonly zipEntriesMax: number;
  /** Heap of the thread that reads a workbook: the last resort against workbooks that pass the other limits. */
  readonly workerHeapMebibytesMax: number;
  /** Whether to read a workbook that contains macros; they are never run. */
  readonly macros: "refuse" | "read";
  readonly xmlDepthMax: number;
  /** Rows that are not blank. */
  readonly rowsMax: number;
  /** Lines including blank ones: as many as a spreadsheet has. */
  readonly linesMax: number;
  readonly columnsMax: number;
  /** CSV only: for one row with all its cells. */
  readonly rowCharactersMax: number;
}

const MEBIBYTE = 1024 * 1024;

/** A checked file is held in memory. The ratio of deflate itself cannot exceed about 1030. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  bytesMax: 64 * MEBIBYTE,
  inflatedBytesMax: 512 * MEBIBYTE,
  sharedStringsBytesMax: 64 * MEBIBYTE,
  smallPartBytesMax: 16 * MEBIBYTE,
  inflationRatioMax: 300,
  zipEntriesMax: 2_000,
  workerHeapMebibytesMax: 160,
  macros: "refuse",
  xmlDepthMax: 64,
  rowsMax: 100_000,
  linesMax: 1_048_576,
  columnsMax: 500,
  rowCharactersMax: 500_000,
};

/** How many lines the head of a sheet has. */
export const HEAD_LINES = 60;
/** Titles and notes do not count as rows. */
export const LINES_ABOVE_MAX = 1000;

/** The fault of a file that has more than `limit` of a unit, such as "rows". */
export function tooMany(unit: string, limit: number, where: Where): Fault {
  return fault("FILE_TOO_LARGE", { found: `more than ${limit}`, unit, limit }, where);
}
