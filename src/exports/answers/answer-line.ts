/** The content of an answer in any format: the sent table with additions to its lines, and a summary. */
import type { Cell, TableSource, TitleLine } from "../../model/index.ts";

export type SummaryLine = readonly [label: string, value: string];

/** A line of the sent table (header or row), with the additions of the answer. */
export interface AnswerLine {
  /** Line number in the sent file, from 1. */
  readonly line: number;
  /** As read, by index in the sent header. */
  readonly cells: readonly Cell[];
  /** Cells to the right of the sender's columns. */
  readonly added: readonly string[];
  /** By index in the sent header; XLSX only. The cell is marked and the remark becomes its comment. */
  readonly remarks: ReadonlyMap<number, string>;
  /** By index in the sent header: cells whose content must not be repeated. */
  readonly withheld: ReadonlySet<number>;
  /** XLSX only: the row was hidden or struck out, and must not come back as one to be paid. */
  readonly isOutOfSight?: true;
  /** CSV only: the line where the row's format breaks. */
  readonly brokenLine?: number;
}

/** What is to be written, in any format. */
export interface AnswerContent<Source extends TableSource = TableSource> {
  readonly source: Source;
  /** XLSX only. */
  readonly sheet?: string;
  readonly headerLine: number;
  readonly header: readonly string[];
  /** By index in the sent header: columns of an earlier answer, which are left out. */
  readonly dropped: ReadonlySet<number>;
  /** The file contains a private key, so none of its text is returned unchecked. */
  readonly holdsSecret: boolean;
  /** The lines above the header, without blank ones. */
  readonly titleLines: readonly TitleLine[];
  /** The header, then the rows in order. */
  readonly lines: AsyncIterable<AnswerLine>;
  /** Called after the last line; empty for no summary. */
  summary(): readonly SummaryLine[];
}

/** Replaces a private key that was pasted by mistake. */
export const WITHHELD = "(removed by Paydrop)";
