/** A line of a source file: what intake reads and initiation gives meaning to. */
import type { Problem } from "../faults/index.ts";
import type { TextEncoding } from "./text-encoding.ts";

/**
 * One cell, with the text that stands for it in messages.
 * `unseen` where the cell does not show what it holds, and why: a format shows another text or none, the letters have the colour of their
 * ground or are too small, a part of it is raised as if it were a footnote, it is repeated until
 * the cell is full. number: the digits as the file has them (an XLSX number may carry an exponent), behind the zeros of a format like `0000`; `unit` is what its number format shows beside
 * them, or instead (`€`, `%`, `thousands`), and `decimals` how many decimals it shows where more are written. date: `yyyy-mm-dd`, with `Thh:mm:ss`
 * if it has a time; `hh:mm:ss` alone for a time. formula: the cell that the saved result would be; `value` is empty when no
 * result was saved.
 */
export type Cell =
  | { readonly kind: "empty"; readonly text: "" }
  | ({ readonly kind: "text"; readonly text: string } & Look)
  | ({
      readonly kind: "number";
      readonly text: string;
      readonly unit?: string;
      readonly decimals?: number;
    } & Look)
  | ({ readonly kind: "date"; readonly text: string } & Look)
  | ({ readonly kind: "boolean"; readonly text: "true" | "false" } & Look)
  | ({ readonly kind: "error"; readonly text: string } & Look)
  | { readonly kind: "formula"; readonly text: string; readonly value: Exclude<Cell, { kind: "formula" }> };

export interface Look {
  readonly unseen?: Unseen;
}

export type Unseen = "format" | "colour" | "size" | "raised" | "repeated";

export const EMPTY_CELL = { kind: "empty", text: "" } as const satisfies Cell;

/** What a cell shows: of a formula its saved result. */
export function resultOf(cell: Cell): Exclude<Cell, { kind: "formula" }> {
  return cell.kind === "formula" ? cell.value : cell;
}

export interface Row {
  /** Counts data rows from 1. */
  readonly row: number;
  /** Line in a CSV, row of the sheet in an XLSX; both from 1. */
  readonly line: number;
  /** In the order of the header; missing trailing cells are empty. */
  readonly cells: readonly Cell[];
  /** What is wrong with the row's very format; its cells are then not to be trusted. */
  readonly problems: readonly Problem[];
  /** CSV only: the line has fewer cells than the header, which is in order for nothing but a control total. */
  readonly isShort?: true;
  /** CSV only: the file ends within its last cell, without the end of a line. */
  readonly isOpenEnded?: true;
  /** It declares control totals and is no payout; set where an answer copies the rows. */
  readonly isControlTotal?: true;
}

/** A line above the header that holds something: a title, a note, a control total. */
export type TitleLine = Pick<Row, "line" | "cells">;

export type FileFormat = "csv" | "xlsx";

/** An opened payout file: the header is read, the rows come lazily. */
export interface Table {
  readonly format: FileFormat;
  /** XLSX only. */
  readonly sheet?: string;
  /** XLSX only: other visible sheets without a header line that may hold payouts all the same. */
  readonly unreadSheets?: readonly string[];
  /** How the file was understood, for people: "UTF-8, semicolons". */
  readonly dialect: string;
  readonly headerLine: number;
  /** The header's cells in the file's order, text trimmed. */
  readonly header: readonly string[];
  readonly source: TableSource;
  /** In file order, without blank ones. */
  readonly titleLines?: readonly TitleLine[];
  /**
   * In file order, a hundred at most at a time: what is looked up for them is asked once, and they are gone before memory is
   * kept for long-lived things.
   */
  windows(): AsyncIterable<readonly Row[]>;
}

/** Where the table lies in its file, for an answer that gives back everything that stands around it. */
export type TableSource = CsvSource | XlsxSource;

export interface CsvSource {
  readonly format: "csv";
  readonly path: string;
  readonly encoding: {
    /** The label of the Encoding Standard. */
    readonly label: TextEncoding;
    /** Of the byte order mark. */
    readonly skipBytes: number;
    /** Neither the file nor the configuration says that it is this one. */
    readonly isGuessed?: true;
  };
  /** One character. */
  readonly delimiter: string;
}

export interface XlsxSource {
  readonly format: "xlsx";
  readonly path: string;
  /** In the zip archive: "xl/worksheets/sheet1.xml". */
  readonly sheetPart: string;
}

/** The letters of an XLSX column: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : "") + String.fromCharCode(65 + (index % 26));
}

/** The column of an A1 reference, from 0; undefined if it begins with none. Read for every cell, so without regular expressions. */
export function columnIndex(reference: string): number | undefined {
  let column = 0;
  let letters = 0;
  for (; letters < reference.length; letters += 1) {
    const letter = reference.charCodeAt(letters) - LETTER_BEFORE_A;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return letters === 0 || letters > COLUMN_LETTERS_MAX ? undefined : column - 1;
}

const LETTER_BEFORE_A = 64;
const COLUMN_LETTERS_MAX = 3;
