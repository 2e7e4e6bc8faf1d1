/**
 * How much one file may ask of us. The limits are refused by name before memory or time is spent on what is above them;
 * what a payout may be worth is not limited here but in initiation.
 */
export interface FileLimits {
  readonly bytesMax: number;
  /** Of all parts of a workbook together, as declared and as found. */
  readonly inflatedBytesMax: number;
  /** Of the table of shared texts, which is held in memory. */
  readonly sharedStringsBytesMax: number;
  /** Of each part that is neither a sheet nor the table of shared texts. */
  readonly smallPartBytesMax: number;
  /** Inflated size over stored size of one part; parts under 1 MiB are not judged. */
  readonly inflationRatioMax: number;
  readonly zipEntriesMax: number;
  /** Of the thread that reads a workbook; what all other limits let through ends here. */
  readonly workerHeapMebibytesMax: number;
  /** Whether a workbook that can run macros is read; none of them is ever run. */
  readonly macros: "refuse" | "read";
  readonly xmlDepthMax: number;
  /** Rows below the header that are not blank. */
  readonly rowsMax: number;
  readonly columnsMax: number;
  readonly cellCharactersMax: number;
  /** CSV only: each costs far more time than a sound one. */
  readonly brokenRowsMax: number;
  /** CSV only: of one row with all its cells. */
  readonly rowCharactersMax: number;
}

const MEBIBYTE = 1024 * 1024;

/** Room for a million rows of ordinary width; deflate itself cannot exceed a ratio of about 1030. */
export const DEFAULT_FILE_LIMITS: FileLimits = {
  bytesMax: 512 * MEBIBYTE,
  inflatedBytesMax: 768 * MEBIBYTE,
  sharedStringsBytesMax: 64 * MEBIBYTE,
  smallPartBytesMax: 16 * MEBIBYTE,
  inflationRatioMax: 300,
  zipEntriesMax: 2_000,
  workerHeapMebibytesMax: 160,
  macros: "refuse",
  xmlDepthMax: 64,
  rowsMax: 1_000_000,
  columnsMax: 500,
  cellCharactersMax: 32_767,
  brokenRowsMax: 10_000,
  rowCharactersMax: 500_000,
};
