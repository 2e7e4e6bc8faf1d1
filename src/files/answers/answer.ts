/**
 * The contents of an answer: the sender's own lines, each on its own line, followed by our columns, and a summary.
 */
import type { Problem } from "../../faults/index.ts";
import { COLUMN_WORDS } from "../../model/columns.ts";
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
  /** Whether the file contains a private key; then none of its text is returned unchecked. */
  readonly holdsSecret?: boolean;
  readonly summary: Summary;
  /** The creation time in a workbook's properties; by default now. */
  readonly madeAt?: Instant;
}

/** The result for a file, for people: the first sheet of a workbook, `NAME.accepted.csv.txt` beside a CSV. */
export interface Summary {
  /** The result in one sentence. */
  readonly sentence: string;
  /** The open decisions, or the outcomes of the payments. A group without facts is left out. */
  readonly groups: readonly SummaryGroup[];
  /** Problems and warnings; a workbook links the first thousand to their cells. */
  readonly findings: readonly Problem[];
  /** How the file was read. Comes after the findings, because those need action. */
  readonly background: readonly SummaryGroup[];
}

/** Labels and values under a heading. */
export interface SummaryGroup {
  readonly heading: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** How many problems and warnings a summary lists, and how many cells get a comment. */
export const FINDINGS_MAX = 1000;

/** "200 more are beside their rows"; empty if all are listed. */
export function leftOut(count: number): string[] {
  return count > FINDINGS_MAX ? [`${count - FINDINGS_MAX} more are beside their rows`] : [];
}

/** The column's name in the sender's header, or a description if the header lacks it. */
export function columnText(column: string, header: readonly string[]): string {
  const words: Readonly<Record<string, string>> = COLUMN_WORDS;
  return header.includes(column) ? column : (words[column] ?? column);
}

/** "line 18, Betrag: Betrag is empty - Fill in Betrag." */
export function inWords({ line, column, message, fix }: Problem, header: readonly string[]): string {
  const named = column === undefined ? [] : columnText(column, header);
  const place = [line === undefined ? [] : `line ${line}`, named].flat().join(", ");
  return `${place === "" ? "" : `${place}: `}${message} - ${fix}`;
}
