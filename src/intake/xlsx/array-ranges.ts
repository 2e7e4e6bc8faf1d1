/**
 * The cells that an array formula or data table of another cell fills. Only its first cell contains the formula; the
 * others look as if their values had been typed.
 */
import { columnIndex, lineOf } from "../../model/cell-reference.ts";

interface ArrayRange {
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly lastLine: number;
}

export class ArrayRanges {
  private ranges: ArrayRange[] = [];

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** Adds a range of the element `f` ("B2:B4"); false if it is none, or if too many overlap. */
  add(reference: string): boolean {
    const [first = "", last = first] = reference.split(":");
    const [firstColumn, lastColumn, lastLine] = [columnIndex(first), columnIndex(last), lineOf(last)];
    if (firstColumn === undefined || lastColumn === undefined || Number.isNaN(lastLine)) return false;
    if (first !== last) this.ranges.push({ firstColumn, lastColumn, lastLine });
    return this.ranges.length <= RANGES_MAX;
  }

  /** Drops the ranges that end above this line. */
  moveTo(line: number): void {
    if (!this.isEmpty) this.ranges = this.ranges.filter(({ lastLine }) => lastLine >= line);
  }

  /** Whether a formula of an earlier cell fills this cell of the current line. */
  has(column: number): boolean {
    return this.ranges.some(({ firstColumn, lastColumn }) => column >= firstColumn && column <= lastColumn);
  }
}

/** Limit on ranges side by side; each cell is compared with all of them. */
const RANGES_MAX = 1_000;
