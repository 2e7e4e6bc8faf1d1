/**
 * The rows of one sheet, streamed from its XML. Gives every row that holds a value, with its number and whether it is hidden;
 * says which columns are hidden and which cells are merged. Headers and what the values mean are not known here.
 */
import { type Cell, columnLetters, EMPTY_CELL } from "../../model/row.ts";
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed, refused } from "./archive.ts";
import { columnOf, isOnLine, lineOf } from "./cell-reference.ts";
import { cellValue } from "./cell-value.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { type Attributes, isTrue, walkXmlPart, type XmlHandler } from "./xml-part.ts";

export interface SheetRow {
  /** From 1. */
  readonly line: number;
  readonly isHidden: boolean;
  /** From column A to the last cell that holds something; at most one more than the limit of columns, and then it has too many. */
  readonly cells: readonly Cell[];
}

/** Told of what stands outside the rows; hidden columns come before the rows, merged cells usually after them. */
export interface SheetListener {
  /** Columns from 0, both included. */
  hiddenColumns(first: number, last: number): void;
  /** "B3:C3". */
  mergedCells(range: string): void;
  /** Formulas, and what stands outside the rows: links, headers and footers, the questions of drop-downs. */
  besideCells?(text: string): void;
}

/** Yields the rows of each chunk together, once the listener was told of the rest of the chunk. Faults: XLSX_MALFORMED, XLSX_REFUSED, FILE_TOO_LARGE. */
export async function* sheetRows(
  archive: Archive,
  workbook: Workbook,
  sheet: Worksheet,
  limits: FileLimits,
  listener: SheetListener,
): AsyncGenerator<readonly SheetRow[]> {
  const handler = new SheetHandler(workbook, sheet, limits, listener);
  let bytes = 0;
  for await (const chunkBytes of walkXmlPart(archive, sheet.partName, handler, limits)) {
    bytes += chunkBytes;
    if (bytes > EMPTY_BYTES_MAX + BYTES_PER_VALUE_MAX * handler.valueCount) {
      throw refused(`sheet ${sheet.name} is ${bytes >> 20} MiB long and holds hardly a value`, workbook.path);
    }
    yield handler.rows.splice(0);
  }
}

/** ECMA-376 leaves it open; every spreadsheet program keeps to these two. */
const SHEET_COLUMNS_MAX = 16_384;
const SHEET_ROWS_MAX = 1_048_576;
const CELL_SOURCE_CHARACTERS_MAX = 1024 * 1024;

/** Reading nothing takes as long as reading something. Whole columns that were formatted stay far below this. */
const EMPTY_BYTES_MAX = 32 * 1024 * 1024;
const BYTES_PER_VALUE_MAX = 1024;

/** Less than a pixel, in characters and in points (ECMA-376 part 1, 18.3.1.13 and 18.3.1.73). */
const COLUMN_WIDTH_MIN = 1 / 7;
const ROW_HEIGHT_MIN = 3 / 4;

function isBelow(size: string | undefined, minimum: number): boolean {
  return size !== undefined && Number(size) < minimum;
}

class SheetHandler implements XmlHandler {
  readonly rows: SheetRow[] = [];
  /** Longer texts count for several. */
  valueCount = 0;
  private readonly workbook: Workbook;
  private readonly sheet: Worksheet;
  private readonly columnsMax: number;
  private readonly listener: SheetListener;

  private dataState: "before" | "inside" | "behind" = "before";
  private line = 0;
  /** The line as references spell it; undefined until a row without a number has shown a cell. */
  private lineText: string | undefined;
  private isRowHidden = false;
  /** Those that no width is given for. Rows have no such default: it hides only rows without data ([MS-XLS] 2.4.87). */
  private areColumnsHidden = false;
  /** From 0: the columns below it were spoken of. */
  private nextColumn = 0;
  private cells: Cell[] = [];

  private column = -1;
  private cellType = "n";
  private cellStyle = 0;
  private value: string | undefined;
  private inlineText: string | undefined;
  private formula: string | undefined;

  /** The element whose text is being collected. */
  private collecting: "v" | "f" | "t" | undefined;
  private collected = "";
  private isInPhoneticRun = false;

  constructor(workbook: Workbook, sheet: Worksheet, { columnsMax }: FileLimits, listener: SheetListener) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.columnsMax = columnsMax;
    this.listener = listener;
  }

  open(name: string, attributes: Attributes): void {
    if (this.dataState === "inside") this.openInside(name, attributes);
    else this.openOutside(name, attributes);
  }

  private openInside(name: string, attributes: Attributes): void {
    switch (name) {
      case "c":
        this.openCell(attributes);
        return;
      case "v":
        if (this.value !== undefined) throw this.malformed(`the cell ${this.reference()} has two values`);
        this.collect(name);
        return;
      case "f":
        this.collect(name);
        return;
      case "t":
        if (!this.isInPhoneticRun) this.collect(name);
        return;
      case "is":
        this.inlineText = "";
        return;
      case "rPh":
        this.isInPhoneticRun = true;
        return;
      case "row":
        this.openRow(attributes);
        return;
      case "AlternateContent":
        throw this.malformed("programs show different rows of it");
    }
  }

  /** Elements elsewhere bear the same names as rows and cells: anchors of buttons, say. */
  private openOutside(name: string, attributes: Attributes): void {
    const { listener } = this;
    if (listener.besideCells !== undefined)
      for (const value of Object.values(attributes)) listener.besideCells(value);
    switch (name) {
      case "sheetData":
        if (this.dataState === "behind") throw this.malformed("it has two tables of rows");
        this.dataState = "inside";
        this.hideColumnsUpTo(SHEET_COLUMNS_MAX);
        return;
      case "sheetFormatPr":
        this.areColumnsHidden = isBelow(attributes["defaultColWidth"], COLUMN_WIDTH_MIN);
        return;
      case "col":
        this.openColumns(attributes);
        return;
      case "mergeCell":
        this.listener.mergedCells(attributes["ref"] ?? "somewhere");
        return;
    }
  }

  text(text: string): void {
    if (this.collecting === undefined) {
      if (this.dataState !== "inside") this.listener.besideCells?.(text);
      return;
    }
    this.collected += text;
    if (this.collected.length + (this.inlineText?.length ?? 0) > CELL_SOURCE_CHARACTERS_MAX) {
      throw refused(`a cell of sheet ${this.sheet.name} has no end`, this.workbook.path);
    }
  }

  close(name: string): void {
    if (this.dataState !== "inside") return;
    switch (name) {
      case "sheetData":
        this.dataState = "behind";
        return;
      case "v":
        this.value = this.taken();
        return;
      case "f":
        this.formula = this.taken();
        this.listener.besideCells?.(this.formula);
        return;
      case "t":
        if (this.collecting === "t") this.inlineText = (this.inlineText ?? "") + this.taken();
        return;
      case "rPh":
        this.isInPhoneticRun = false;
        return;
      case "c":
        this.closeCell();
        return;
      case "row":
        this.closeRow();
        return;
    }
  }

  private openRow(attributes: Attributes): void {
    const line = attributes["r"] === undefined ? this.line + 1 : Number(attributes["r"]);
    if (!Number.isInteger(line) || line <= this.line || line > SHEET_ROWS_MAX) {
      throw this.malformed(`row ${attributes["r"] ?? line} stands behind row ${this.line}`);
    }
    this.line = line;
    this.lineText = attributes["r"] === undefined ? undefined : String(line);
    this.isRowHidden = isTrue(attributes["hidden"]) || isBelow(attributes["ht"], ROW_HEIGHT_MIN);
    this.column = -1;
  }

  private closeRow(): void {
    if (this.cells.length === 0) return;
    this.rows.push({ line: this.line, isHidden: this.isRowHidden, cells: this.cells });
    this.cells = [];
  }

  private openCell(attributes: Attributes): void {
    const reference = attributes["r"];
    const column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (column === undefined || column <= this.column || column >= SHEET_COLUMNS_MAX) {
      throw this.malformed(`the cell ${reference ?? column} in row ${this.line} is out of order`);
    }
    if (reference !== undefined) this.checkLine(reference);
    this.column = column;
    this.cellType = attributes["t"] ?? "n";
    this.cellStyle = attributes["s"] === undefined ? 0 : Number(attributes["s"]);
    this.value = undefined;
    this.inlineText = undefined;
    this.formula = undefined;
  }

  /** A row without a number stands where its first cell says. */
  private checkLine(reference: string): void {
    if (this.lineText === undefined && this.column < 0) {
      const line = lineOf(reference);
      if (line > this.line && line <= SHEET_ROWS_MAX) this.line = line;
    }
    this.lineText ??= String(this.line);
    if (!isOnLine(reference, this.lineText)) {
      throw this.malformed(`the cell ${reference} stands in row ${this.line}`);
    }
  }

  private closeCell(): void {
    const { value, inlineText, formula } = this;
    if (value === undefined && inlineText === undefined && formula === undefined) return;
    const source = { type: this.cellType, style: this.cellStyle, value, inlineText, formula };
    const cell = cellValue(source, this.workbook, () => this.reference());
    this.valueCount += cell.kind === "empty" ? 0 : 1 + cell.text.length / BYTES_PER_VALUE_MAX;
    if (cell.kind === "empty" || this.cells.length > this.columnsMax) return;
    const columns = Math.min(this.column, this.columnsMax);
    while (this.cells.length < columns) this.cells.push(EMPTY_CELL);
    this.cells.push(cell);
  }

  private reference(): string {
    return `${columnLetters(this.column)}${this.line}`;
  }

  private openColumns(attributes: Attributes): void {
    const [first, last] = [Number(attributes["min"]) - 1, Number(attributes["max"]) - 1];
    this.hideColumnsUpTo(first);
    this.nextColumn = Math.max(this.nextColumn, last + 1);
    const hasOwnWidth = attributes["width"] !== undefined;
    const isHidden =
      isTrue(attributes["hidden"]) ||
      isBelow(attributes["width"], COLUMN_WIDTH_MIN) ||
      (!hasOwnWidth && this.areColumnsHidden);
    if (isHidden) this.listener.hiddenColumns(first, last);
  }

  /** Columns that no element speaks of are as wide as the sheet says. */
  private hideColumnsUpTo(end: number): void {
    if (this.areColumnsHidden && this.nextColumn < end) this.listener.hiddenColumns(this.nextColumn, end - 1);
  }

  private collect(element: "v" | "f" | "t"): void {
    this.collecting = element;
    this.collected = "";
  }

  private taken(): string {
    this.collecting = undefined;
    return this.collected;
  }

  private malformed(reason: string): Error {
    return malformed(`sheet ${this.sheet.name}: ${reason}`, this.workbook.path);
  }
}
