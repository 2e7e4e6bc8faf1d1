/** What an answer consists of, whatever its format: lines of cells, and a summary beside them. */
import type { Cell } from "../../model/index.ts";

export type SummaryLine = readonly [label: string, value: string];

/** One line of an answer, header or row, ready for its format. */
export interface AnswerLine {
  readonly cells: readonly Cell[];
  readonly added: readonly string[];
  /** By index in `cells`. */
  readonly remarks: ReadonlyMap<number, string>;
}
