/** What an answer consists of, whatever its format: the sent table with what is added to its lines, and a summary beside them. */
import type { Cell, TableSource, TitleLine } from "../../model/index.ts";

export type SummaryLine = readonly [label: string, value: string];

/** One line of the sent table, header or row, with what an answer adds to it. */
export interface AnswerLine {
  /** In the sent file, from 1. */
  readonly line: number;
  /** As they were read; by index in the sent header. */
  readonly cells: readonly Cell[];
  /** Behind the sender's columns. */
  readonly added: readonly string[];
  /** By index in the sent header; XLSX only, where the cell is marked and the remark is its comment. */
  readonly remarks: ReadonlyMap<number, string>;
  /** By index in the sent header: cells whose content must not be repeated. */
  readonly withheld: ReadonlySet<number>;
  /** CSV only: the line on which the row's very format breaks. */
  readonly brokenLine?: number;
}

/** An answer on its way into a file. */
export interface AnswerContent<Source extends TableSource = TableSource> {
  readonly source: Source;
  /** XLSX only. */
  readonly sheet?: string;
  readonly headerLine: number;
  readonly header: readonly string[];
  /** By index in the sent header: columns of an earlier answer, which are left out. */
  readonly dropped: ReadonlySet<number>;
  /** A private key is in the file: no text of it comes back unseen. */
  readonly holdsSecret: boolean;
  /** What stands above the header, without blank lines. */
  readonly titleLines: readonly TitleLine[];
  /** The header first, then the rows in their order. */
  readonly lines: AsyncIterable<AnswerLine>;
  /** Called after the last line; empty: none. */
  summary(): readonly SummaryLine[];
}

/** Stands where a private key was pasted by mistake. */
export const WITHHELD = "(removed by Paydrop)";
