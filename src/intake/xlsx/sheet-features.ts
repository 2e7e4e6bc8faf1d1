/** What a sheet has besides the values of its rows, and the refusal of what hides, changes or joins values that are read. */
import { type Fault, fault, type Where } from "../../faults/index.ts";
import { columnIndex, lineOf } from "../../model/cell-reference.ts";
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

/**
 * Merged titles above the rows and signatures below them are allowed, and so is whatever lies beside the columns. `areRead`:
 * per column of the table, whether it is read.
 */
export function featureGuard(where: Where, headerLine: number, areRead: readonly boolean[]) {
  let lastLine = 0;
  const features: RangeFeature[] = [];
  return { sawRow, saw, check };

  function sawRow(line: number): void {
    lastLine = line;
  }

  function saw(feature: SheetFeature): void {
    if (feature.kind !== "hidden columns") features.push(feature);
  }

  /** Call after all rows. Faults: CELLS_MERGED, CONDITIONAL_FORMAT_HIDES, CELLS_COVERED. */
  function check(): void {
    for (const feature of features) {
      const ranges = feature.ranges.split(/\s+/).filter((range) => range !== "");
      const range = ranges.find((candidate) => isAmongRows(candidate, feature.kind));
      if (range !== undefined) throw refusal(feature, range);
    }
  }

  /** A range of whole columns or rows has only one of the two; what is no range is among them. */
  function isAmongRows(range: string, kind: RangeFeature["kind"]): boolean {
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    // Either corner may be first.
    const isAbove = Math.max(lineOf(first), lineOf(last)) <= headerLine;
    const isBelow = Math.min(lineOf(first), lineOf(last)) > lastLine;
    const [one = 0, other = Number.POSITIVE_INFINITY] = [columnIndex(first), columnIndex(last)];
    const columns = areRead.slice(Math.min(one, other), Math.max(one, other) + 1);
    return !isAbove && !isBelow && columns.some((isRead) => isRead || kind === "merged cells");
  }

  function refusal(feature: RangeFeature, range: string): Fault {
    const [cell = ""] = range.split(":");
    const line = lineOf(cell);
    switch (feature.kind) {
      case "merged cells":
        return fault("CELLS_MERGED", { range }, Number.isNaN(line) ? where : { ...where, line, cell });
      case "conditional format":
        return fault("CONDITIONAL_FORMAT_HIDES", { range, effect: feature.effect }, { ...where, cell });
      case "covered cells":
        return fault("CELLS_COVERED", { range }, { ...where, cell });
    }
  }
}
