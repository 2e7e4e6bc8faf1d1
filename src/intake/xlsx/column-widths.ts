/** Determines the hidden columns of a sheet: declared hidden, or too narrow for a letter. They come before the rows. */
import { type RowWriter, SHEET_COLUMNS_MAX } from "./row-writer.ts";
import { isBelow, isTrue } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** `hide` is called with inclusive column ranges, from 0. */
export function columnWidths(rows: RowWriter, hide: (first: number, last: number) => void) {
  /** Whether columns without a width are hidden. For rows the default hides only empty ones ([MS-XLS] 2.4.87). */
  let areHidden = false;
  /** From 0; all earlier columns have been handled. */
  let nextColumn = 0;
  let elements = 0;
  return { setDefault, add, end };

  /** Call for `sheetFormatPr`. */
  function setDefault({ defaultColWidth }: Attributes): void {
    areHidden = isBelow(defaultColWidth, COLUMN_WIDTH_MIN);
  }

  /** Call for each `col`. */
  function add(attributes: Attributes): void {
    elements += 1;
    if (elements > SHEET_COLUMNS_MAX) throw rows.malformed("it describes columns twice");
    const [first, last] = [Number(attributes["min"]) - 1, Number(attributes["max"]) - 1];
    hideUpTo(first);
    nextColumn = Math.max(nextColumn, last + 1);
    const hasOwnWidth = attributes["width"] !== undefined;
    const isHidden =
      isTrue(attributes["hidden"]) ||
      isBelow(attributes["width"], COLUMN_WIDTH_MIN) ||
      (!hasOwnWidth && areHidden);
    if (isHidden) hide(first, last);
  }

  /** Call after all columns. */
  function end(): void {
    hideUpTo(SHEET_COLUMNS_MAX);
  }

  /** Columns without an element have the sheet's default width. */
  function hideUpTo(end: number): void {
    if (areHidden && nextColumn < end) hide(nextColumn, end - 1);
  }
}

/** In characters (ECMA-376 part 1, 18.3.1.13); a narrower column shows none. */
const COLUMN_WIDTH_MIN = 1 / 2;
