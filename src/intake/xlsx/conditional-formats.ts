/**
 * Reads a sheet's conditional formats, which follow its rows: where they apply, and what they may do to values. Reads
 * both the standard's form and Excel's extension of 2010 ([MS-XLSX] 2.6.4), whose rules contain their looks.
 */
import type { Theme } from "./colours.ts";
import { FormatRuleLook, type RuleEffect } from "./format-rule-look.ts";
import type { Attributes } from "./xml-walker.ts";

export interface ConditionalFormat {
  /** "B3:C3 E3", as written in the file. */
  readonly ranges: string;
  readonly effect: RuleEffect;
}

interface Rule {
  readonly attributes: Attributes;
  look?: FormatRuleLook;
  showsNoValue: boolean;
  formula: string;
}

/** Is called for all elements outside the rows. */
export class ConditionalFormats {
  private readonly effects: ReadonlyMap<number, RuleEffect>;
  private readonly theme: Theme;
  private readonly found: (format: ConditionalFormat) => void;
  private ranges = "";
  private rules: Rule[] = [];
  private isInside = false;
  private readonly path: string[] = [];

  constructor(
    { rules, theme }: { readonly rules: ReadonlyMap<number, RuleEffect>; readonly theme: Theme },
    found: (format: ConditionalFormat) => void,
  ) {
    this.effects = rules;
    this.theme = theme;
    this.found = found;
  }

  open(name: string, attributes: Attributes): void {
    if (name === "conditionalFormatting") {
      this.isInside = true;
      this.ranges = attributes["sqref"] ?? "";
      this.rules = [];
    }
    if (!this.isInside) return;
    const rule = this.rules.at(-1);
    if (name === "cfRule") this.rules.push({ attributes, showsNoValue: false, formula: "" });
    else if (name === "dxf" && rule !== undefined) rule.look = new FormatRuleLook();
    else if (rule?.look !== undefined && this.path.includes("dxf"))
      rule.look.open(name, attributes, this.path.at(-1));
    else if ((name === "dataBar" || name === "iconSet") && rule !== undefined)
      rule.showsNoValue ||= attributes["showValue"] === "0" || attributes["showValue"] === "false";
    this.path.push(name);
  }

  text(text: string): void {
    const rule = this.rules.at(-1);
    const name = this.path.at(-1);
    if (name === "sqref") this.ranges += text;
    else if ((name === "formula" || name === "f") && rule !== undefined && rule.formula.length < FORMULA_MAX)
      rule.formula += text;
  }

  close(name: string): void {
    if (!this.isInside) return;
    this.path.pop();
    if (name !== "conditionalFormatting") return;
    this.isInside = false;
    for (const rule of this.rules) {
      const effect = this.effectOf(rule);
      if (effect !== undefined) this.found({ ranges: this.ranges, effect });
    }
    this.rules = [];
  }

  private effectOf({ attributes, look, showsNoValue, formula }: Rule): RuleEffect | undefined {
    if (showsNoValue) return "shows bars or icons in place of values";
    const { dxfId } = attributes;
    if (this.isOfNoPayout(attributes, formula.trim())) return undefined;
    return look?.effect(this.theme) ?? this.effects.get(dxfId === undefined ? -1 : Number(dxfId));
  }

  /**
   * Whether a rule applies only to zeros, errors or empty cells, which many templates hide and which are never paid.
   * Judged by the formula, as programs do, whatever the type.
   */
  private isOfNoPayout({ type, operator }: Attributes, formula: string): boolean {
    const [cell = ""] = this.ranges.split(/[:\s]/);
    if (type === "cellIs") return operator === "equal" && /^(?:0|"")$/.test(formula);
    const isOfItself = formula === `ISERROR(${cell})` || formula === `LEN(TRIM(${cell}))=0`;
    return isOfItself && (type === "expression" || type === "containsErrors" || type === "containsBlanks");
  }
}

const FORMULA_MAX = 255;
