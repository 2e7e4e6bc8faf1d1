/** Refuses conditional formats that may hide or change values that are read, and objects over them. */
import { type Fault, fault, type Where } from "../../faults/index.ts";
import { columnIndex } from "../../model/row.ts";
import { lineOf } from "./cell-reference.ts";
import type { ConditionalFormat } from "./conditional-formats.ts";

export class VeilGuard {
  private readonly where: Where;
  private readonly headerLine: number;
  /** Per column of the table, whether it is read. */
  private readonly isRead: readonly boolean[];
  private lastLine = 0;
  private readonly veils: { readonly ranges: string; refuse(range: string, where: Where): Fault }[] = [];

  constructor(where: Where, headerLine: number, isRead: readonly boolean[]) {
    this.where = where;
    this.headerLine = headerLine;
    this.isRead = isRead;
  }

  sawRow(line: number): void {
    this.lastLine = line;
  }

  sawFormat({ ranges, effect }: ConditionalFormat): void {
    const refuse = (range: string, where: Where) =>
      fault("CONDITIONAL_FORMAT_HIDES", { range, effect }, where);
    this.veils.push({ ranges, refuse });
  }

  /** `ranges`: the cells beneath an object. */
  sawObject(ranges: string): void {
    this.veils.push({ ranges, refuse: (range, where) => fault("CELLS_COVERED", { range }, where) });
  }

  /** Call after all rows. Faults: CONDITIONAL_FORMAT_HIDES, CELLS_COVERED. */
  check(): void {
    for (const { ranges, refuse } of this.veils) {
      const range = ranges.split(/\s+/).find((candidate) => this.isAmongRows(candidate));
      if (range === undefined) continue;
      const [cell = ""] = range.split(":");
      throw refuse(range, { ...this.where, cell });
    }
  }

  private isAmongRows(range: string): boolean {
    if (range === "") return false;
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    const [firstColumn = 0, lastColumn = Number.POSITIVE_INFINITY] = [columnIndex(first), columnIndex(last)];
    const firstLine = lineOf(first);
    const lastLine = lineOf(last);
    // A range of whole columns or rows has only one of the two.
    const isAbove = lastLine <= this.headerLine;
    const isBelow = firstLine > this.lastLine;
    return !isAbove && !isBelow && this.isRead.slice(firstColumn, lastColumn + 1).includes(true);
  }
}
