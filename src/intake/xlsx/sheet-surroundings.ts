/**
 * Reads what a sheet's part holds outside the rows: the sheet's features, and texts to be searched. Some elements there
 * have the same names as rows and cells, anchors of buttons for example.
 */
import { columnIndex } from "../../model/cell-reference.ts";
import { refused } from "./archive.ts";
import { columnWidths } from "./column-widths.ts";
import { conditionalFormats } from "./conditional-formats.ts";
import type { ContentScan } from "./content-scan.ts";
import type { RowWriter } from "./row-writer.ts";
import type { SheetFeature } from "./sheet-features.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import type { Attributes } from "./xml-walker.ts";

export interface SheetListener {
  /** Is told of hidden columns before the rows, and of other features usually after them. */
  found(feature: SheetFeature): void;
  /** Is shown formulas, and what is outside the rows: links, headers and footers, prompts of drop-downs. */
  readonly scan: ContentScan;
}

export function sheetSurroundings(
  workbook: Workbook,
  sheet: Worksheet,
  rows: RowWriter,
  listener: SheetListener,
) {
  /**
   * The first cell that the sheet's view shows. With frozen panes below it, nobody can scroll to the cells before it.
   */
  let viewStart = "";
  let featureCount = 0;
  const columns = columnWidths(rows, (first, last) => hide(first, last));
  const formats = conditionalFormats(workbook.styles, (feature) => found(feature));
  return { open, text, close, found };

  function open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void {
    listener.scan.open(name, attributes);
    formats.open(name, attributes, path);
    if (isForeign) return;
    switch (name) {
      case "sheetFormatPr":
        columns.setDefault(attributes);
        rows.setDefaults(attributes);
        return;
      case "sheetView":
        viewStart = attributes["topLeftCell"] ?? "";
        return;
      case "pane":
        if (attributes["state"] !== "frozen" && attributes["state"] !== "frozenSplit") return;
        rows.startAt(viewStart);
        hide(0, (columnIndex(viewStart) ?? 0) - 1);
        return;
      case "col":
        columns.add(attributes);
        return;
      case "mergeCell":
        found({ kind: "merged cells", ranges: attributes["ref"] || "somewhere" });
        return;
      case "sheetData":
        columns.end();
        return;
    }
  }

  function text(part: string, path: readonly string[]): void {
    listener.scan.text(part);
    formats.text(part, path);
  }

  function close(name: string): void {
    listener.scan.close(name);
    formats.close(name);
  }

  function found(feature: SheetFeature): void {
    featureCount += 1;
    if (featureCount > FEATURES_MAX) {
      const what = "merged cells, conditional formats and objects";
      throw refused(`sheet ${sheet.name} has more than ${FEATURES_MAX} ${what}`, workbook.path);
    }
    listener.found(feature);
  }

  function hide(first: number, last: number): void {
    if (last >= first) found({ kind: "hidden columns", first, last });
  }
}

/** Honest sheets have some thousands at most. They are kept in memory until the last row. */
const FEATURES_MAX = 100_000;
