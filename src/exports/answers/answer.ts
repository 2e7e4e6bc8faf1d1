/** What an answer holds: the sender's own lines, each on its own line, with our columns behind them, and a summary. */
import type { Problem } from "../../faults/index.ts";
import type { Grid } from "../../model/grid.ts";
import type { Instant } from "../../model/index.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";

export interface Answer {
  /** Full path: `outbox/NAME.rejected.xlsx`. */
  readonly path: string;
  readonly grid: Grid;
  readonly reading: Pick<SheetReading, "headerLine" | "header">;
  /** The names of our columns. */
  readonly columns: readonly string[];
  /** The texts of our columns by line; lines without any are left out. */
  readonly added: ReadonlyMap<number, readonly string[]>;
  /** The problems whose cells are marked, by line. */
  readonly marked?: ReadonlyMap<number, readonly Problem[]>;
  /** The file holds a private key, so none of its text is returned unchecked. */
  readonly holdsSecret?: boolean;
  readonly summary: Summary;
  /** When a workbook says that it was made; by default now. */
  readonly madeAt?: Instant;
}

/** What became of the file, for people: the first sheet of a workbook, `NAME.accepted.csv.txt` beside a CSV. */
export interface Summary {
  /** What became of the file, in one sentence. */
  readonly sentence: string;
  /** Those without facts are left out. */
  readonly groups: readonly SummaryGroup[];
  /** Problems and warnings; a workbook links the first thousand to their cells. */
  readonly findings: readonly Problem[];
}

/** Labels and values under a heading. */
export interface SummaryGroup {
  readonly heading: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** How many problems and warnings a summary lists, and how many cells get a comment. */
export const FINDINGS_MAX = 1000;

/** "200 more stand beside their rows"; empty if all are listed. */
export function leftOut(count: number): string[] {
  return count > FINDINGS_MAX ? [`${count - FINDINGS_MAX} more stand beside their rows`] : [];
}

/** "line 18, amount: the amount is empty - Fill in amount." */
export function inWords({ line, column, message, fix }: Problem): string {
  const place = [line === undefined ? [] : `line ${line}`, column ?? []].flat().join(", ");
  return `${place === "" ? "" : `${place}: `}${message} - ${fix}`;
}
