/** A line of a source file, as intake reads it and initiation interprets it. */
import type { Problem } from "../faults/index.ts";
import type { TextEncoding } from "./text-encoding.ts";

/**
 * One cell; `text` represents it in messages.
 *
 * number: the digits as written in the file (in XLSX perhaps with an exponent), after the leading zeros of a format like
 * `0000`. `unit`: what its number format shows beside the digits, or instead of them (`€`, `%`, `thousands`);
 * `decimals`: how many decimals it shows, if more are written, or if it shows a whole number as more than its digits
 * (`4,208`, `42.00`, `4.2E+03`).
 * date: `yyyy-mm-dd`, with `Thh:mm:ss` if it has a time; `hh:mm:ss` for a time alone.
 * formula: `value` is its saved result as a cell; empty if no result was saved.
 * unseen: why the cell does not show what it contains: its format shows another text or none, its letters have the
 * colour of the background or are too small, part of it is raised like a footnote mark, or it is repeated to fill the
 * cell.
 */
export type Cell =
  | { readonly kind: "empty"; readonly text: "" }
  | ({ readonly kind: "text"; readonly text: string } & Appearance)
  | ({
      readonly kind: "number";
      readonly text: string;
      readonly unit?: string;
      readonly decimals?: number;
    } & Appearance)
  | ({ readonly kind: "date"; readonly text: string } & Appearance)
  | ({ readonly kind: "boolean"; readonly text: "true" | "false" } & Appearance)
  | ({ readonly kind: "error"; readonly text: string } & Appearance)
  | { readonly kind: "formula"; readonly text: string; readonly value: PlainCell };

/** Any cell but a formula. */
export type PlainCell = Exclude<Cell, { kind: "formula" }>;

export interface Appearance {
  readonly unseen?: Unseen;
}

export type Unseen = "format" | "colour" | "size" | "raised" | "repeated";

export const EMPTY_CELL = { kind: "empty", text: "" } as const satisfies Cell;

/** The cell itself or, for a formula, its saved result. */
export function resultOf(cell: Cell): PlainCell {
  return cell.kind === "formula" ? cell.value : cell;
}

export interface Row {
  /** Counts data rows from 1. */
  readonly row: number;
  /** Line in a CSV, row of the sheet in an XLSX; both from 1. */
  readonly line: number;
  /** In the order of the header; missing trailing cells are empty. */
  readonly cells: readonly Cell[];
  /** Problems of the row's format; its cells then cannot be trusted. */
  readonly problems: readonly Problem[];
  /**
   * CSV only: the line has fewer cells than the header, which is allowed for a control total, and where no column that
   * is read is missing.
   */
  readonly isShort?: true;
  /** CSV only: the file ends within the last cell of this row, without a line break. */
  readonly endsWithoutLineBreak?: true;
  /** Declares control totals and is not a payout; set when an answer copies the rows. */
  readonly isControlTotal?: true;
}

/** A line above the header that is not blank: a title, a note, a control total. */
export type TitleLine = Pick<Row, "line" | "cells">;

export type FileFormat = "csv" | "xlsx";

/** An opened payout file: its header has been read, its rows are read lazily. */
export interface Table {
  readonly format: FileFormat;
  /** XLSX only. */
  readonly sheet?: string;
  /** XLSX only: other visible sheets without a header line that may contain payouts. */
  readonly unreadSheets?: readonly string[];
  /** How the file was understood, for people: "UTF-8, semicolons". */
  readonly dialect: string;
  readonly headerLine: number;
  /** The header's cells in the file's order, text trimmed. */
  readonly header: readonly string[];
  readonly source: TableSource;
  /** In file order, without blank lines. */
  readonly titleLines?: readonly TitleLine[];
  /** Rows in file order, at most a hundred at a time, so that look-ups are batched and rows die young. */
  windows(): AsyncIterable<readonly Row[]>;
}

/** The position of the table in its file, for answers that return everything around it unchanged. */
export type TableSource = CsvSource | XlsxSource;

export interface CsvSource {
  readonly format: "csv";
  readonly path: string;
  readonly encoding: {
    /** The label of the Encoding Standard. */
    readonly label: TextEncoding;
    /** Length of the byte order mark. */
    readonly skipBytes: number;
    /** Neither the file nor the configuration declares the encoding. */
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
