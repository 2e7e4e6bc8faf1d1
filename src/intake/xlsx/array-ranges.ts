/**
 * The cells that a formula of another cell fills: those of an array formula or a data table. Only its first cell has the formula; the
 * others look as if their values had been typed.
 */
import { columnIndex } from "../../model/row.ts";
import { lineOf } from "./cell-reference.ts";

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

  /** Its range as the element `f` has it, "B2:B4"; false for what is no range, and where more of them overlap than any sheet has. */
  add(reference: string): boolean {
    const [first = "", last = first] = reference.split(":");
    const [firstColumn, lastColumn, lastLine] = [columnIndex(first), columnIndex(last), lineOf(last)];
    if (firstColumn === undefined || lastColumn === undefined || Number.isNaN(lastLine)) return false;
    if (first !== last) this.ranges.push({ firstColumn, lastColumn, lastLine });
    return this.ranges.length <= RANGES_MAX;
  }

  /** Leaves out the ranges that end above this line. */
  moveTo(line: number): void {
    if (!this.isEmpty) this.ranges = this.ranges.filter(({ lastLine }) => lastLine >= line);
  }

  /** Of a cell on the line that was moved to, which stands behind the cells that were added. */
  has(column: number): boolean {
    return this.ranges.some(({ firstColumn, lastColumn }) => column >= firstColumn && column <= lastColumn);
  }
}

/** Of those that stand side by side; each cell is compared with all of them. */
const RANGES_MAX = 1_000;
