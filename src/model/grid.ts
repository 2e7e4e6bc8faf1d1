/**
 * A sent file as a reader found it: lines and cells, not interpreted. It is held in memory as a whole, because its
 * columns and totals can only be understood as wholes; it has at most 100,000 rows and 64 MB.
 */
import type { TextEncoding } from "./text-encoding.ts";

/**
 * One cell. A text is a plain string, so that two million of them fit in memory. "" is an empty cell; a cell with
 * only white space counts as empty. Everything else is an object.
 */
export type Cell = string | ValuedCell;

/** Any cell except a formula. */
export type PlainCell = Exclude<Cell, FormulaCell>;

type ValuedCell = NumberCell | DateCell | BooleanCell | ErrorCell | FlawedText | FormulaCell;

/**
 * Why a cell does not show its value. `struck out`: the whole cell. `in parts`: a part of the text is struck out,
 * raised, lowered or set apart. `merged`: it is in a merged range. `shown otherwise`: its number format shows
 * another value, or nothing.
 */
export type Flaw = "struck out" | "in parts" | "merged" | "shown otherwise";

interface Flawed {
  readonly flaw?: Flaw;
}

export interface NumberCell extends Flawed {
  readonly kind: "number";
  /** The digits as written in the file, perhaps with an exponent: `1.0000000000000001E-5`. */
  readonly text: string;
  /** The number format's code, unless it is General. */
  readonly format?: string;
  /** The text that the format shows beside the digits: `€`, `BTC`, `%`, `thousands`. */
  readonly unit?: string;
  /** How many decimals the format shows, if more are written. */
  readonly decimals?: number;
}

export interface DateCell extends Flawed {
  readonly kind: "date";
  /** `yyyy-mm-dd`, with `Thh:mm:ss` if it has a time; `hh:mm:ss` for a time alone. */
  readonly text: string;
  readonly format?: string;
}

export interface BooleanCell extends Flawed {
  readonly kind: "boolean";
  readonly text: "true" | "false";
}

interface ErrorCell {
  readonly kind: "error";
  /** `#REF!` */
  readonly text: string;
}

/** A text that is not shown as it is; `parts` are the runs of a text in parts. */
interface FlawedText {
  readonly kind: "text";
  readonly text: string;
  readonly flaw: Flaw;
  readonly parts?: readonly string[];
  /** For an empty cell of a merged range: the text that the range shows for it. */
  readonly merged?: string;
}

interface FormulaCell {
  readonly kind: "formula";
  /** The saved result; "" if none was saved. */
  readonly value: PlainCell;
}

/** The cell itself or, for a formula, its saved result. */
export function resultOf(cell: Cell): PlainCell {
  return typeof cell === "object" && cell.kind === "formula" ? cell.value : cell;
}

/** A cell's text in messages; for a formula its saved result. */
export function textOf(cell: Cell): string {
  const plain = resultOf(cell);
  return typeof plain === "string" ? plain : plain.text;
}

/** The text that a person sees in a cell, even if it is merged with a cell above. */
export function seenText(cell: Cell): string {
  return typeof cell === "object" && cell.kind === "text" && cell.merged !== undefined
    ? cell.merged
    : textOf(cell);
}

export interface Line {
  /** The line it begins on in a CSV, the row of the sheet in a workbook; both from 1. */
  readonly line: number;
  /** By column from 0; trailing empty cells may be missing. */
  readonly cells: readonly Cell[];
  readonly isHidden?: true | undefined;
}

/**
 * A workbook's text outside its cells: a comment, a text box, a page header. It is shown to people but not read.
 */
export interface OutsideText {
  /** "the comment on C4", "a text box", "the page's footer" */
  readonly place: string;
  readonly text: string;
}

export type FileFormat = "csv" | "xlsx";

export interface Grid {
  readonly format: FileFormat;
  /** How the file was understood, for people: "UTF-8, semicolons". */
  readonly dialect: string;
  /** CSV only. */
  readonly csv?: CsvForm;
  /** XLSX only. */
  readonly sheet?: string;
  /** The lines that are not blank, in file order. */
  readonly lines: readonly Line[];
  /** Column positions from 0; XLSX only. */
  readonly hiddenColumns: ReadonlySet<number>;
  /** In characters, by column from 0; only widths that the sheet gives. */
  readonly columnWidths: ReadonlyMap<number, number>;
  readonly outside: readonly OutsideText[];
  readonly pictureCount: number;
}

export interface CsvForm {
  readonly encoding: TextEncoding;
  readonly hasByteOrderMark: boolean;
  /** Neither the file nor the configuration declares the encoding. */
  readonly isEncodingGuessed: boolean;
  /** One character. */
  readonly delimiter: string;
  /** The last line has no line break: the file may have been cut off. */
  readonly endsOpen?: true;
}

/** The beginning of a sheet, from which the sheet to read is chosen. A CSV has one, without a name. */
export interface SheetHead {
  readonly name: string;
  readonly visibility: "visible" | "hidden" | "very hidden";
  /** The first lines that are not blank. */
  readonly lines: readonly Line[];
}

/** A sent file that was opened and passed the guards. Reading a sheet throws faults that appear only later. */
export interface SentFile {
  readonly format: FileFormat;
  readonly sheets: readonly SheetHead[];
  readSheet(name: string): Promise<Grid>;
  /** Reads these cells of the sheet once more, with another program's reader; a CSV has only one reader. */
  readAgain(cells: ComparedCells): Promise<SecondReading>;
  close(): Promise<void>;
}

/** The cells that payments were read from. */
export interface ComparedCells {
  /** Columns from 0. */
  readonly positions: readonly number[];
  /** The lines in the sheet's order, with the cells at these positions. They are read once. */
  readonly lines: Iterable<readonly [line: number, cells: readonly Cell[]]>;
}

/** The second reader's result: where it disagrees (at most twenty cells), or why it could not read the workbook. */
export type SecondReading =
  | { readonly kind: "read"; readonly disagreements: readonly Disagreement[] }
  | { readonly kind: "unreadable"; readonly reason: string };

export interface Disagreement {
  readonly line: number;
  /** Column from 0. */
  readonly position: number;
  readonly ours: string;
  readonly theirs: string;
}
