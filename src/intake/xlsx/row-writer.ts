/**
 * Determines the position of rows and cells, from their references or their order; packs what is in order, and refuses
 * the rest as malformed. Does not know how the sheet spells rows and cells.
 */
import { columnIndex, columnLetters, isOnLine, lineOf } from "../../model/cell-reference.ts";
import type { FileLimits } from "../file-limits.ts";
import { malformed } from "./archive.ts";
import { ArrayRanges } from "./array-ranges.ts";
import { type CellSource, cellValue, unseenByRuns } from "./cell-value.ts";
import type { RowPacker } from "./packed-rows.ts";
import { RUN_STYLES } from "./run-styles.ts";
import { isSpecial, styleOf } from "./styles.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { isBelow, isTrue } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

export class RowWriter {
  /** Number of values; a long text counts as several. */
  valueCount = 0;
  private readonly workbook: Workbook;
  private readonly sheet: Worksheet;
  private readonly columnsMax: number;
  private readonly packer: RowPacker;
  private readonly arrays = new ArrayRanges();
  /** Whether rows without a height of their own are hidden. */
  private isHiddenByDefault = false;
  /** Nobody can scroll to the lines above. */
  private firstLine = 1;
  private line = 0;
  /** The line as written in references; undefined until a row without a number has shown a cell. */
  private lineText: string | undefined;
  private isHidden = false;
  private isStruck = false;
  private column = -1;

  constructor(workbook: Workbook, sheet: Worksheet, { columnsMax }: FileLimits, packer: RowPacker) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.columnsMax = columnsMax;
    this.packer = packer;
  }

  /** Takes `sheetFormatPr` into account. Without `customHeight` programs choose a height that fits the letters. */
  setDefaults({ defaultRowHeight, customHeight }: Attributes): void {
    this.isHiddenByDefault = isTrue(customHeight) && isBelow(defaultRowHeight, ROW_HEIGHT_MIN);
  }

  /** The first line that frozen panes show, as an A1 reference. */
  startAt(reference: string): void {
    const line = lineOf(reference);
    if (line > 1) this.firstLine = line;
  }

  openRow(attributes: Attributes): void {
    const line = attributes["r"] === undefined ? this.line + 1 : Number(attributes["r"]);
    if (!Number.isInteger(line) || line <= this.line || line > SHEET_ROWS_MAX) {
      throw this.malformed(`row ${attributes["r"] ?? line} comes after row ${this.line}`);
    }
    this.line = line;
    this.arrays.moveTo(line);
    this.lineText = attributes["r"] === undefined ? undefined : String(line);
    this.isStruck = false;
    const isLow =
      attributes["ht"] === undefined ? this.isHiddenByDefault : isBelow(attributes["ht"], ROW_HEIGHT_MIN);
    this.isHidden = isTrue(attributes["hidden"]) || isLow;
    this.column = -1;
  }

  closeRow(): void {
    this.packer.endRow(this.line, this.isHidden || this.line < this.firstLine, this.isStruck);
  }

  openCell(reference: string | undefined): void {
    const column = reference === undefined ? this.column + 1 : columnIndex(reference);
    if (column === undefined || column <= this.column || column >= SHEET_COLUMNS_MAX) {
      throw this.malformed(`the cell ${reference ?? column} in row ${this.line} is out of order`);
    }
    if (reference !== undefined) this.checkLine(reference);
    this.column = column;
  }

  /** Moves to a parsed reference; false, without effect, if the reference itself is needed. */
  moveTo(column: number, line: number): boolean {
    const isRight = column > this.column && column < SHEET_COLUMNS_MAX && line === this.line;
    if (!isRight || this.lineText === undefined) return false;
    this.column = column;
    return true;
  }

  /** Records that the open cell's formula fills these cells as well. */
  openArray(range: string): void {
    if (!this.arrays.add(range))
      throw this.malformed(`the formula of the cell ${this.reference()} fills the cells ${range}`);
  }

  get hasArrays(): boolean {
    return !this.arrays.isEmpty;
  }

  /** Whether another cell's formula fills the open cell. */
  get isInArray(): boolean {
    return this.arrays.has(this.column);
  }

  /** Adds the open cell. */
  add(source: CellSource): void {
    const cell = cellValue(source, this.workbook, () => this.reference());
    if (cell.kind === "empty") return;
    const { styles, sharedTexts } = this.workbook;
    const runStyles = source.type === "s" ? sharedTexts.runStylesAt(Number(source.value)) : source.runStyles;
    this.isStruck ||= styleOf(styles, source.styleIndex).isStruck || (runStyles & RUN_STYLES.struck) !== 0;
    this.valueCount += 1 + cell.text.length / CHARACTERS_PER_VALUE;
    if (this.hasRoom()) this.packer.add(Math.min(this.column, this.columnsMax), cell);
  }

  /** Adds the shared string at this index; false if there is none or the cell shows something else. */
  addShared(index: number, styleIndex: number): boolean {
    const { sharedTexts, styles } = this.workbook;
    const style = styleOf(styles, styleIndex);
    if (!sharedTexts.has(index) || isSpecial(style)) return false;
    const runStyles = sharedTexts.runStylesAt(index);
    if (unseenByRuns(runStyles, style) !== undefined) return false;
    sharedTexts.setShown(index);
    if (sharedTexts.isBlank(index)) return true;
    this.isStruck ||= style.isStruck || (runStyles & RUN_STYLES.struck) !== 0;
    this.valueCount += 1 + sharedTexts.bytesAt(index) / CHARACTERS_PER_VALUE;
    if (this.hasRoom()) this.packer.addShared(Math.min(this.column, this.columnsMax), index);
    return true;
  }

  reference(): string {
    return `${columnLetters(this.column)}${this.line}`;
  }

  malformed(reason: string): Error {
    return malformed(`sheet ${this.sheet.name}: ${reason}`, this.workbook.path);
  }

  private hasRoom(): boolean {
    return this.packer.cellsInRow <= this.columnsMax;
  }

  /** A row without a number is on the line of its first cell. */
  private checkLine(reference: string): void {
    if (this.lineText === undefined && this.column < 0) {
      const line = lineOf(reference);
      if (line > this.line && line <= SHEET_ROWS_MAX) this.line = line;
      this.arrays.moveTo(this.line);
    }
    this.lineText ??= String(this.line);
    if (!isOnLine(reference, this.lineText)) {
      throw this.malformed(`the cell ${reference} is in row ${this.line}`);
    }
  }
}

/** ECMA-376 sets no limits; every spreadsheet program keeps to these two. */
export const SHEET_COLUMNS_MAX = 16_384;
const SHEET_ROWS_MAX = 1_048_576;

/** In points (ECMA-376 part 1, 18.3.1.73): a lower row shows letters only as a line. */
const ROW_HEIGHT_MIN = 3;

const CHARACTERS_PER_VALUE = 1024;
