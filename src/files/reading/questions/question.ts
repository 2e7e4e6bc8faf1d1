/** The form of a question about a file, and its id: equal questions are asked once for a layout. */
import { hash } from "node:crypto";
import type { Grid } from "../../../model/grid.ts";
import type { Day } from "../../../model/index.ts";
import type { Note, Question, Section, TotalLine, UnreadColumn } from "../../../model/sheet-reading.ts";
import type { CheckedRow } from "../check-row.ts";
import type { FoundColumns } from "../find-columns.ts";

const LINES_MAX = 100;
/** How many example values a question shows. */
export const EXAMPLES = 3;

/** A column with its values as written, which answers apply to. */
export interface UnreadCells extends UnreadColumn {
  readonly texts: readonly string[];
  /** Whether the column has values that are not listed. */
  readonly hasMore?: boolean;
  /** Why the value of a column that is read is asked about. */
  readonly why?: string;
  /** The column that it repeats in most rows, and the lines in which it differs. */
  readonly same?: { readonly name: "amount" | "destinationAddress"; readonly others: readonly number[] };
  /** The lines that do not fill it, if most do. */
  readonly empty?: readonly number[];
}

export interface Asked {
  readonly columns: FoundColumns;
  readonly unread: readonly UnreadCells[];
  /** Columns of the ledger, with the values that the chart of accounts does not know. */
  readonly ledger: readonly UnreadCells[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly totals: readonly TotalLine[];
  readonly secondTotals: readonly TotalLine[];
  readonly repeatedNames: readonly number[];
  readonly rows: readonly CheckedRow[];
  readonly grid: Pick<Grid, "csv" | "lines">;
  /** The file's name, as its sender gave it. */
  readonly fileName?: string;
  /** A payment day before this one is long past. */
  readonly pastBefore: Day;
  /** The day itself, or the next working day after a day off. */
  readonly workingDayFrom: (day: Day) => Day;
  /** The median of the last fee rates that people set, in sat/vB. */
  readonly usualFeeRate?: number;
  /** Hidden sheets with tables of payouts. */
  readonly hiddenPayouts: readonly string[];
}

export function question(parts: readonly string[], text: string, lines: readonly number[]): Question {
  return { id: idOf(parts), text, lines: lines.slice(0, LINES_MAX) };
}

/** `parts`: the subject of the question. Equal parts make the same question in every file of the layout. */
export function idOf(parts: readonly string[]): string {
  const digest = hash("sha256", JSON.stringify(parts)).slice(0, 12);
  return `${(parts[0] ?? "").replace(" ", "-")}-${digest}`;
}

/** The first distinct ones. */
export function examplesOf(texts: readonly string[]): readonly string[] {
  const examples = new Set<string>();
  for (const text of texts) if (examples.size < EXAMPLES) examples.add(text);
  return [...examples];
}

/** The references make a question differ in every file, so that it is asked again. */
export function referencesOf(rows: readonly CheckedRow[]): readonly string[] {
  return rows.map(({ reference }) => reference ?? "");
}
