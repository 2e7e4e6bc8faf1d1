/**
 * Scans a part of a workbook for private keys and active content while its elements go by. Of the cells of the payouts,
 * their reader passes on only the formulas: their values are checked with their rows.
 */
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { activeElement, activeFormula } from "./active-content.ts";
import { isTrue } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

export class ContentScan implements XmlHandler {
  holdsKey = false;
  /** The first that was found. `what`: in words; `cell`: A1 reference, if it is the formula of a cell. */
  active: { readonly what: string; readonly cell?: string } | undefined;
  private texts = "";
  private cell: string | undefined;
  private isPivotRefreshedOnLoad = false;

  open(name: string, attributes: Attributes): void {
    for (const value of Object.values(attributes)) this.value(value);
    this.report(activeElement(name, attributes));
    if (name === "c") this.cell = attributes["r"];
    if (name === "pivotCacheDefinition") this.isPivotRefreshedOnLoad = isTrue(attributes["refreshOnLoad"]);
    if (name === "cacheSource" && attributes["type"] === "external" && this.isPivotRefreshedOnLoad)
      this.report("a pivot table that is refreshed by itself from outside");
  }

  text(text: string): void {
    this.texts += text;
  }

  close(name: string): void {
    if (INSIDE_TEXTS.has(name)) return;
    if (FORMULAS.has(name)) this.formula(this.texts, this.cell);
    else this.value(this.texts);
    if (name === "c") this.cell = undefined;
    this.texts = "";
  }

  /** `cell`: A1 reference; undefined for the formula of a name, a rule, a chart. */
  formula(text: string, cell: string | undefined): void {
    this.value(text);
    const what = activeFormula(text);
    const place = cell === undefined ? "a name, rule or chart" : `the cell ${cell}`;
    if (what !== undefined) this.report(`${what} in ${place}`, cell);
  }

  value(text: string): void {
    // Page headers mark their parts with &L, &C and &R.
    if (holdsPrivateKey(text.replace(/&[A-Z]/g, " "))) this.holdsKey = true;
  }

  private report(what: string | undefined, cell?: string): void {
    if (what !== undefined) this.active ??= { what, ...present({ cell }) };
  }
}

/** Elements that divide a text without ending it: rich text runs and their properties. */
const INSIDE_TEXTS: ReadonlySet<string> = new Set(
  "t r rPr pPr b i u strike sz color rFont family charset scheme vertAlign latin ea cs solidFill srgbClr font span".split(
    " ",
  ),
);

/** Elements whose text is a formula: of cells, charts, rules, drop-downs, names and tables. */
const FORMULAS: ReadonlySet<string> = new Set(
  "f formula formula1 formula2 definedName calculatedColumnFormula totalsRowFormula".split(" "),
);
