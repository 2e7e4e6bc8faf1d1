/** Refuses merged cells among a table's rows; merged titles above and signatures below are allowed. */
import { fault, type Where } from "../../faults/index.ts";
import { columnIndex } from "../../model/row.ts";
import { lineOf } from "./cell-reference.ts";

export class MergeGuard {
  private readonly where: Where;
  private readonly headerLine: number;
  private readonly columns: number;
  /** Until rows are seen all merged cells count, for sheets that list them before their rows. */
  private lastLine = Number.POSITIVE_INFINITY;
  private ranges: string[] = [];

  constructor(where: Where, headerLine: number, columns: number) {
    this.where = where;
    this.headerLine = headerLine;
    this.columns = columns;
  }

  sawRow(line: number): void {
    this.lastLine = line;
  }

  sawMergedCells(range: string): void {
    this.ranges.push(range);
  }

  /** Call after the rows that precede the merged cells. Fault: CELLS_MERGED. */
  check(): void {
    const merged = this.ranges.find((range) => this.isAmongRows(range));
    this.ranges = [];
    if (merged === undefined) return;
    const [cell = ""] = merged.split(":");
    const line = lineOf(cell);
    throw fault(
      "CELLS_MERGED",
      { range: merged },
      Number.isNaN(line) ? this.where : { ...this.where, line, cell },
    );
  }

  private isAmongRows(range: string): boolean {
    const match = /^([A-Z]+)(\d+)(?::[A-Z]+(\d+))?$/.exec(range);
    // Whole columns, or not a valid range.
    if (match === null) return true;
    const [, column = "", first = "", last = first] = match;
    const isBeside = (columnIndex(column) ?? 0) >= this.columns;
    return !isBeside && Number(first) <= this.lastLine && Number(last) > this.headerLine;
  }
}
