/**
 * Reads what a sheet's part holds outside the rows: the sheet's features, and texts to be searched. Some elements there
 * have the same names as rows and cells, anchors of buttons for example.
 */
import { columnIndex } from "../../model/row.ts";
import { refused } from "./archive.ts";
import { ColumnWidths } from "./column-widths.ts";
import { ConditionalFormats } from "./conditional-formats.ts";
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

export class SheetSurroundings {
  private readonly workbook: Workbook;
  private readonly sheet: Worksheet;
  private readonly rows: RowWriter;
  private readonly listener: SheetListener;
  private readonly columns: ColumnWidths;
  private readonly formats: ConditionalFormats;
  /**
   * The first cell that the sheet's view shows. With frozen panes below it, nobody can scroll to the cells before it.
   */
  private viewStart = "";
  private featureCount = 0;

  constructor(workbook: Workbook, sheet: Worksheet, rows: RowWriter, listener: SheetListener) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.rows = rows;
    this.listener = listener;
    this.columns = new ColumnWidths(rows, (first, last) => this.hide(first, last));
    this.formats = new ConditionalFormats(workbook.styles, (feature) => this.found(feature));
  }

  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void {
    this.listener.scan.open(name, attributes);
    this.formats.open(name, attributes, path);
    if (isForeign) return;
    switch (name) {
      case "sheetFormatPr":
        this.columns.setDefault(attributes);
        this.rows.setDefaults(attributes);
        return;
      case "sheetView":
        this.viewStart = attributes["topLeftCell"] ?? "";
        return;
      case "pane":
        if (attributes["state"] !== "frozen" && attributes["state"] !== "frozenSplit") return;
        this.rows.startAt(this.viewStart);
        this.hide(0, (columnIndex(this.viewStart) ?? 0) - 1);
        return;
      case "col":
        this.columns.add(attributes);
        return;
      case "mergeCell":
        this.found({ kind: "merged cells", ranges: attributes["ref"] || "somewhere" });
        return;
      case "sheetData":
        this.columns.end();
        return;
    }
  }

  text(text: string, path: readonly string[]): void {
    this.listener.scan.text(text);
    this.formats.text(text, path);
  }

  close(name: string): void {
    this.listener.scan.close(name);
    this.formats.close(name);
  }

  found(feature: SheetFeature): void {
    this.featureCount += 1;
    if (this.featureCount > FEATURES_MAX) {
      const what = "merged cells, conditional formats and objects";
      throw refused(`sheet ${this.sheet.name} has more than ${FEATURES_MAX} ${what}`, this.workbook.path);
    }
    this.listener.found(feature);
  }

  private hide(first: number, last: number): void {
    if (last >= first) this.found({ kind: "hidden columns", first, last });
  }
}

/** Honest sheets have some thousands at most. They are kept in memory until the last row. */
const FEATURES_MAX = 100_000;
