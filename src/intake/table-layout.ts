/** What the caller knows about the table to find; intake itself knows no column names. */
import type { Cell, TitleLine } from "../model/row.ts";
import type { SingleByteEncoding } from "../model/text-encoding.ts";
import type { FileLimits } from "./file-limits.ts";

export interface TableLayout {
  /** Whether a line, its cells trimmed, is the header of a payout table. */
  isHeader(cells: readonly string[]): boolean;
  /** Whether a header has a column of destinations; one without is chosen only if no other sheet has one. */
  hasDestination?(header: readonly string[]): boolean;
  /** Whether a column of this name is read; by default all are. */
  isRead?(name: string): boolean;
  /**
   * Whether a line without a known header may be a payout: in a sheet without one, or inside a quoted cell of a CSV.
   */
  mayBePayout?(cells: readonly Cell[]): boolean;
  /** CSV only: whether a line may end at a column of this name, or behind it, if it is the last that is read. */
  mayEndAt?(name: string): boolean;
  /** CSV only: the encoding if it is not UTF-8. Default: Windows-1252, and the table says that it is a guess. */
  readonly encoding?: SingleByteEncoding;
  /** XLSX only: the sheet to read; by default the only visible sheet with a header line. */
  readonly sheet?: string;
  /** The columns that a header must have, for the message if none is found: "reference, amount". */
  readonly needed?: string;
  /** "; line 3 comes closest, ...": the line most like a header; empty if there is none. */
  closestHeader?(lines: readonly TitleLine[]): string;
  readonly limits: FileLimits;
}

/** The header must be among the first lines; a title and a few notes may precede it. */
export const HEADER_LINE_MAX = 30;

/** The header's names, trimmed, without unnamed columns at the end. */
export function headerNames(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === "") names.pop();
  return names;
}
