/** What the caller knows about the table it looks for; intake itself knows no column names. */
import type { Cell, TitleLine } from "../model/row.ts";
import type { SingleByteEncoding } from "../model/text-encoding.ts";
import type { FileLimits } from "./file-limits.ts";

export interface TableLayout {
  /** Whether a line, its cells trimmed, is the header of a payout table. */
  isHeader(cells: readonly string[]): boolean;
  /** Whether the column of this name is read; every one is where nobody says. */
  isRead?(name: string): boolean;
  /** Whether a line of which no header says the columns may be a payout all the same: of a sheet without one, within a quoted cell of a CSV. */
  mayBePayout?(cells: readonly Cell[]): boolean;
  /** CSV only: of a file that is not UTF-8. Without it such a file is read as Windows-1252, and says that this was a guess. */
  readonly encoding?: SingleByteEncoding;
  /** XLSX only: the sheet to read. Without it the only visible sheet with a header line is read. */
  readonly sheet?: string;
  /** The columns a header must have, for the message when there is none: "reference, amount". */
  readonly needed?: string;
  /** Which of these lines comes closest to a header, to stand behind that: "; line 3 comes closest, ..." Empty where none does. */
  closestHeader?(lines: readonly TitleLine[]): string;
  readonly limits: FileLimits;
}

/** The header must stand in one of the first lines; a title and a few notes may stand above it. */
export const HEADER_LINE_MAX = 30;

/** The header's names: trimmed, without the unnamed columns at its end. */
export function headerNames(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === "") names.pop();
  return names;
}
