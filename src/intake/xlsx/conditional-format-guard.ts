/** Refuses conditional formats that may hide or change what is read of a table's rows; those of other columns are left alone. */
import { fault, type Where } from "../../faults/index.ts";
import { columnIndex } from "../../model/row.ts";
import { lineOf } from "./cell-reference.ts";
import type { ConditionalFormat } from "./conditional-formats.ts";

export class ConditionalFormatGuard {
  private readonly where: Where;
  private readonly headerLine: number;
  /** For each column of the table, whether it is read. */
  private readonly isRead: readonly boolean[];
  private lastLine = 0;
  private formats: ConditionalFormat[] = [];

  constructor(where: Where, headerLine: number, isRead: readonly boolean[]) {
    this.where = where;
    this.headerLine = headerLine;
    this.isRead = isRead;
  }

  sawRow(line: number): void {
    this.lastLine = line;
  }

  saw(format: ConditionalFormat): void {
    this.formats.push(format);
  }

  /** To be called when all rows were seen. Fault: CONDITIONAL_FORMAT_HIDES. */
  check(): void {
    for (const { ranges, effect } of this.formats) {
      const range = ranges.split(/\s+/).find((each) => this.isAmongRows(each));
      if (range === undefined) continue;
      const [cell = ""] = range.split(":");
      throw fault("CONDITIONAL_FORMAT_HIDES", { range, effect }, { ...this.where, cell });
    }
  }

  private isAmongRows(range: string): boolean {
    if (range === "") return false;
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    const [firstColumn = 0, lastColumn = Number.POSITIVE_INFINITY] = [columnIndex(first), columnIndex(last)];
    const firstLine = lineOf(first);
    const lastLine = lineOf(last);
    // Whole columns and rows name only one of the two.
    const isAbove = lastLine <= this.headerLine;
    const isBelow = firstLine > this.lastLine;
    return !isAbove && !isBelow && this.isRead.slice(firstColumn, lastColumn + 1).includes(true);
  }
}
