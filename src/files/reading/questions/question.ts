/** The form of a question about a file, and its id: equal questions are asked once for a layout. */
import { hash } from "node:crypto";
import type { Grid } from "../../../model/grid.ts";
import type { Note, Question, UnreadColumn } from "../../../model/sheet-reading.ts";
import type { CheckedRow } from "../check-row.ts";
import type { ClassifiedLines } from "../classify-lines.ts";
import type { FoundColumns } from "../find-columns.ts";
import type { InitiationPolicy } from "../policy.ts";

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

/** What questions are asked about. */
export interface Asked {
  readonly policy: InitiationPolicy;
  readonly grid: Grid;
  readonly columns: FoundColumns;
  readonly classified: ClassifiedLines;
  /** Those of the lines, and those outside the cells. */
  readonly notes: readonly Note[];
  readonly unread: readonly UnreadCells[];
  /** Columns of the ledger, with the values that the chart of accounts does not know. */
  readonly ledger: readonly UnreadCells[];
  /** The payments that nobody has left out. */
  readonly rows: readonly CheckedRow[];
}

export function question(parts: readonly string[], text: string, lines: readonly number[]): Question {
  return { id: idOf(parts), text, lines: lines.slice(0, LINES_MAX) };
}

/** A question about some payments, which is asked again in every file, because their references are others. */
export function questionAboutRows(subject: string, text: string, rows: readonly CheckedRow[]): Question {
  return question([subject, ...referencesOf(rows)], text, linesOf(rows));
}

export function linesOf(rows: readonly CheckedRow[]): readonly number[] {
  return rows.map(({ line }) => line);
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
