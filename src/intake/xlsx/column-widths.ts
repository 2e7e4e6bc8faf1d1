/** Determines the hidden columns of a sheet: declared hidden, or too narrow for a letter. They come before the rows. */
import { type RowWriter, SHEET_COLUMNS_MAX } from "./row-writer.ts";
import { isBelow, isTrue } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

export class ColumnWidths {
  private readonly rows: RowWriter;
  private readonly hide: (first: number, last: number) => void;
  /** Whether columns without a width are hidden. For rows the default hides only empty ones ([MS-XLS] 2.4.87). */
  private areHidden = false;
  /** From 0; all earlier columns have been handled. */
  private nextColumn = 0;
  private elements = 0;

  /** `hide` is called with inclusive column ranges, from 0. */
  constructor(rows: RowWriter, hide: (first: number, last: number) => void) {
    this.rows = rows;
    this.hide = hide;
  }

  /** Call for `sheetFormatPr`. */
  setDefault({ defaultColWidth }: Attributes): void {
    this.areHidden = isBelow(defaultColWidth, COLUMN_WIDTH_MIN);
  }

  /** Call for each `col`. */
  add(attributes: Attributes): void {
    this.elements += 1;
    if (this.elements > SHEET_COLUMNS_MAX) throw this.rows.malformed("it describes columns twice");
    const [first, last] = [Number(attributes["min"]) - 1, Number(attributes["max"]) - 1];
    this.hideUpTo(first);
    this.nextColumn = Math.max(this.nextColumn, last + 1);
    const hasOwnWidth = attributes["width"] !== undefined;
    const isHidden =
      isTrue(attributes["hidden"]) ||
      isBelow(attributes["width"], COLUMN_WIDTH_MIN) ||
      (!hasOwnWidth && this.areHidden);
    if (isHidden) this.hide(first, last);
  }

  /** Call after all columns. */
  end(): void {
    this.hideUpTo(SHEET_COLUMNS_MAX);
  }

  /** Columns without an element have the sheet's default width. */
  private hideUpTo(end: number): void {
    if (this.areHidden && this.nextColumn < end) this.hide(this.nextColumn, end - 1);
  }
}

/** In characters (ECMA-376 part 1, 18.3.1.13); a narrower column shows none. */
const COLUMN_WIDTH_MIN = 1 / 2;
