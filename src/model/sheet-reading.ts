/**
 * How a sent file was read, for people and for answers: which columns as what, what was not used, and what every line
 * is. Stored with the batch, so that no answer reads the file again under another configuration.
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
 * A column that was not read. `few`: few distinct values, all of them listed with their counts, each of which is to be
 * paid or not. `rare`: filled in fewer than a fifth of the rows; every filled cell is listed. `text`: anything else,
 * shown beside each row; only the first few are listed. `counter`: without a name, and only numbers the rows.
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

/**
 * Whether the references are ours, since the sender's file has none: then equal payments are all that tells
 * repeats.
 */
export function hasOwnReferences({ columns }: Pick<SheetReading, "columns">): boolean {
  return !columns.some(({ name, heading }) => name === "reference" && !isAnswerColumn(heading));
}

/** The columns whose texts stand beside their rows: a person accepts such a column, and nobody asks about its texts. */
export function columnsBeside({ unread }: Pick<SheetReading, "unread">): readonly UnreadColumn[] {
  return unread.filter(({ kind }) => kind === "text");
}

/** The texts of a line in these columns, as people see them; empty ones too. */
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

export interface UnreadValue {
  readonly value: string;
  readonly count: number;
  /** The first lines that hold it. */
  readonly lines: readonly number[];
}

/** A line, or a text outside the cells, that is no payment and no total: shown, not paid. */
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
  /** A reference or payee of its own, as a payment without its destination has. */
  readonly own?: string;
}

/** A line that is a payment, whole or with its problems. */
export interface PaymentLine {
  /** Counts payments from 1. */
  readonly row: number;
  readonly line: number;
  /** Given by us, since no column holds references. */
  readonly ownReference?: string | undefined;
  /** Absent if the row has a problem. */
  readonly draft?: DraftInstruction | undefined;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** It was accepted with the file that this one corrects. */
  readonly before?: Problem | undefined;
  /** Why it is not paid although nothing is wrong with it: a value in it was answered "do not pay". */
  readonly leftOut?: string | undefined;
}

/** Something that was not used, or is unusual, and that a person must accept before the batch is paid. */
export interface Question {
  /** Equal for the same question about another file of the same layout: what an acceptance is remembered by. */
  readonly id: string;
  /** "column \"Status\" says \"on hold\" in 2 rows" */
  readonly text: string;
  /** `Status=on hold`: how a person names it whose rows are not to be paid; only of values. */
  readonly value?: string;
  /** The lines concerned, at most the first hundred; empty for the whole file. */
  readonly lines: readonly number[];
  /** The ids of the parts of which it is made; an answer to it answers each of them. */
  readonly parts?: readonly string[];
}

/** The ids that an answer to a question is kept under. */
export function answeredIds({ id, parts = [] }: Question): readonly string[] {
  return [id, ...parts];
}

/** Whether ids that were answered answer a question, or all its parts. */
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
  /** "2 pictures were not read" is said where it is not 0. */
  readonly pictureCount: number;
  readonly questions: readonly Question[];
}
