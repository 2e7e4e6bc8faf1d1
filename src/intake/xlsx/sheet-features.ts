/** What a sheet has besides the values of its rows, and the refusal of what hides, changes or joins values that are read. */
import { type Fault, fault, type Where } from "../../faults/index.ts";
import { columnIndex } from "../../model/row.ts";
import { lineOf } from "./cell-reference.ts";
import type { RuleEffect } from "./differential-style.ts";

export type SheetFeature = HiddenColumns | RangeFeature;

interface HiddenColumns {
  readonly kind: "hidden columns";
  /** From 0, both included. */
  readonly first: number;
  readonly last: number;
}

/** `ranges`: as written in the file, "B3:C3 E3". */
type RangeFeature =
  | { readonly kind: "merged cells"; readonly ranges: string }
  | { readonly kind: "conditional format"; readonly ranges: string; readonly effect: RuleEffect }
  /** Cells beneath a picture or a shape. */
  | { readonly kind: "covered cells"; readonly ranges: string };

/** Merged titles above the rows and signatures below them are allowed, and so is whatever lies beside the columns. */
export class FeatureGuard {
  private readonly where: Where;
  private readonly headerLine: number;
  /** Per column of the table, whether it is read. */
  private readonly areRead: readonly boolean[];
  private lastLine = 0;
  private readonly features: RangeFeature[] = [];

  constructor(where: Where, headerLine: number, areRead: readonly boolean[]) {
    this.where = where;
    this.headerLine = headerLine;
    this.areRead = areRead;
  }

  sawRow(line: number): void {
    this.lastLine = line;
  }

  saw(feature: SheetFeature): void {
    if (feature.kind !== "hidden columns") this.features.push(feature);
  }

  /** Call after all rows. Faults: CELLS_MERGED, CONDITIONAL_FORMAT_HIDES, CELLS_COVERED. */
  check(): void {
    for (const feature of this.features) {
      const ranges = feature.ranges.split(/\s+/).filter((range) => range !== "");
      const range = ranges.find((candidate) => this.isAmongRows(candidate, feature.kind));
      if (range !== undefined) throw this.refusal(feature, range);
    }
  }

  /** A range of whole columns or rows has only one of the two; what is no range is among them. */
  private isAmongRows(range: string, kind: RangeFeature["kind"]): boolean {
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    const isAbove = lineOf(last) <= this.headerLine;
    const isBelow = lineOf(first) > this.lastLine;
    const [firstColumn = 0, lastColumn = Number.POSITIVE_INFINITY] = [columnIndex(first), columnIndex(last)];
    const columns = this.areRead.slice(firstColumn, lastColumn + 1);
    return !isAbove && !isBelow && columns.some((isRead) => isRead || kind === "merged cells");
  }

  private refusal(feature: RangeFeature, range: string): Fault {
    const [cell = ""] = range.split(":");
    const line = lineOf(cell);
    switch (feature.kind) {
      case "merged cells":
        return fault(
          "CELLS_MERGED",
          { range },
          Number.isNaN(line) ? this.where : { ...this.where, line, cell },
        );
      case "conditional format":
        return fault("CONDITIONAL_FORMAT_HIDES", { range, effect: feature.effect }, { ...this.where, cell });
      case "covered cells":
        return fault("CELLS_COVERED", { range }, { ...this.where, cell });
    }
  }
}
