/**
 * How a sent file was read, for people and for answers: the meaning of its columns, the unused parts, and the kind
 * of every line. Stored with the batch, so that an answer does not depend on a later configuration.
 */
import type { Problem } from "../faults/index.ts";
import { isAnswerColumn } from "./answer-columns.ts";
import { columnLetters } from "./cell-reference.ts";
import type { ColumnName } from "./columns.ts";
import type { ControlTotal } from "./control-total.ts";
import { type Cell, type FileFormat, seenText } from "./grid.ts";
import type { DraftInstruction } from "./instruction.ts";
import { shownSentence, shownText } from "./shown-text.ts";

/** How a column was found. */
export type FoundBy = "name" | "content" | "configuration" | "layout";

export interface ReadColumn {
  readonly name: ColumnName;
  /** From 0. */
  readonly position: number;
  readonly heading: string;
  readonly foundBy: FoundBy;
  /** "3 of 3 cells are Bitcoin addresses"; for a column found by content. */
  readonly evidence?: string;
}

/**
 * A column that was not read. `few`: few distinct values, all listed with their counts; each is to be paid or not.
 * `rare`: filled in fewer than a fifth of the rows; every filled cell is listed. `text`: any other, shown beside
 * each row; only the first few values are listed. `counter`: has no name and only numbers the rows.
 */
export interface UnreadColumn {
  readonly position: number;
  readonly heading: string;
  readonly kind: "few" | "rare" | "text" | "counter" | "empty";
  readonly values: readonly UnreadValue[];
}

/** The name of a column for people: its heading or, without one, its letters. */
export function columnTitle({ heading, position }: Pick<UnreadColumn, "heading" | "position">): string {
  return heading === "" ? `column ${columnLetters(position)}` : shownText(heading);
}

/** Whether the references are ours, because the sender's file has none. Then only equal payments show repeats. */
export function hasOwnReferences({ columns }: Pick<SheetReading, "columns">): boolean {
  return !columns.some(({ name, heading }) => name === "reference" && !isAnswerColumn(heading));
}

/** The columns whose texts are shown beside their rows: a person accepts the column as a whole, not its texts. */
export function columnsBeside({ unread }: Pick<SheetReading, "unread">): readonly UnreadColumn[] {
  return unread.filter(({ kind }) => kind === "text");
}

/** The texts of a line in these columns, as people see them, including empty ones. */
export function textsBeside(columns: readonly UnreadColumn[], cells: readonly Cell[]): readonly string[] {
  return columns.map(({ position }) => shownSentence(seenText(cells[position] ?? "").trim()));
}

/** The texts of some rows in columns that are not read. */
export interface TextsBeside {
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** By column, in file order. */
  readonly rows: readonly { readonly row: number; readonly texts: readonly string[] }[];
}

interface UnreadValue {
  readonly value: string;
  readonly count: number;
  /** The first lines that hold it. */
  readonly lines: readonly number[];
}

/** A line, or a text outside the cells, that is neither a payment nor a total: shown, not paid. */
export interface Note {
  /** Absent for a text outside the cells. */
  readonly line?: number;
  /** "above the columns", "below the rows", "the comment on C4" */
  readonly place: string;
  readonly text: string;
}

/** A note between payments begins a section. */
export interface Section {
  readonly line: number;
  readonly heading: string;
  readonly totals: readonly ControlTotal[];
}

/** A line whose amount equals the sum of the lines that it covers. */
export interface TotalLine {
  readonly line: number;
  readonly covers: "section" | "file";
  readonly firstLine: number;
  readonly lastLine: number;
  readonly amount: string;
  /** The other texts of the line, such as "Total". */
  readonly text: string;
  /** The line's own reference or payee, if it looks like a payment without its destination. */
  readonly own?: string;
}

/** A line that is a payment, whole or with its problems. */
export interface PaymentLine {
  /** Counts payments from 1. */
  readonly row: number;
  readonly line: number;
  /** Assigned by us, because no column holds references. */
  readonly ownReference?: string | undefined;
  /** Absent if the row has a problem. */
  readonly draft?: DraftInstruction | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Set if it was accepted with the file that this one corrects. */
  readonly before?: Problem | undefined;
  /** Why it is not paid although it has no problem: a person answered "do not pay" to one of its values. */
  readonly leftOut?: string | undefined;
}

/** Something that was not used, or is unusual, and that a person must accept before the batch is paid. */
export interface Question {
  /** Equal for the same question about another file of the same layout; an acceptance is stored under it. */
  readonly id: string;
  /** "column \"Status\" says \"on hold\" in 2 rows" */
  readonly text: string;
  /** `Status=on hold`: the name of a value whose rows are not to be paid; only for values. */
  readonly value?: string;
  /** The lines concerned, at most the first hundred; empty for the whole file. */
  readonly lines: readonly number[];
  /** The ids of its parts; an answer to the question answers each of them. */
  readonly parts?: readonly string[];
}

/** The ids under which an answer to a question is stored. */
export function answeredIds({ id, parts = [] }: Question): readonly string[] {
  return [id, ...parts];
}

/** Whether a question is answered: by its own id, or by the ids of all its parts. */
export function isAnsweredBy({ id, parts = [] }: Question, isAnswered: (id: string) => boolean): boolean {
  return isAnswered(id) || (parts.length > 0 && parts.every(isAnswered));
}

export interface SheetReading {
  readonly format: FileFormat;
  readonly dialect: string;
  readonly sheet?: string;
  /** Visible sheets that were not read. */
  readonly otherSheets: readonly string[];
  readonly headerLine: number;
  /** Trimmed, by position. */
  readonly header: readonly string[];
  readonly columns: readonly ReadColumn[];
  readonly unread: readonly UnreadColumn[];
  readonly notes: readonly Note[];
  readonly sections: readonly Section[];
  readonly totals: readonly TotalLine[];
  /** If not 0, people read "2 pictures were not read". */
  readonly pictureCount: number;
  readonly questions: readonly Question[];
}
