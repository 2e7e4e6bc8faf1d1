/** Refuses merged cells among the rows of a table; merged titles above the header and signatures below the rows are left alone. */
import { fault, type Where } from "../../faults/index.ts";
import { columnOf } from "./sheet-rows.ts";

export class MergeGuard {
  private readonly where: Where;
  private readonly headerLine: number;
  private readonly columns: number;
  /** A sheet that names its merged cells before its rows is held to all of them. */
  private lastLine = Number.POSITIVE_INFINITY;

  constructor(where: Where, headerLine: number, columns: number) {
    this.where = where;
    this.headerLine = headerLine;
    this.columns = columns;
  }

  sawRow(line: number): void {
    this.lastLine = line;
  }

  /** Fault: CELLS_MERGED. */
  check(range: string): void {
    const [, column = "", first = "", last] = /^([A-Z]+)(\d+)(?::[A-Z]+(\d+))?$/.exec(range) ?? [];
    const isAmongRows = Number(first) <= this.lastLine && Number(last ?? first) > this.headerLine;
    if (!isAmongRows || (columnOf(column) ?? 0) >= this.columns) return;
    throw fault("CELLS_MERGED", { range }, { ...this.where, line: Number(first), cell: `${column}${first}` });
  }
}
