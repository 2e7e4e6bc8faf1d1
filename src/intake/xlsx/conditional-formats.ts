/**
 * Reads a sheet's conditional formats, which follow its rows: where they apply, and what they may do to values. Reads
 * both the standard's form and Excel's extension of 2010 ([MS-XLSX] 2.6.4), whose rules contain their styles.
 */
import { DifferentialStyle, type RuleEffect } from "./differential-style.ts";
import type { SheetFeature } from "./sheet-features.ts";
import type { Styles } from "./styles.ts";
import type { Attributes } from "./xml-walker.ts";

interface Rule {
  readonly attributes: Attributes;
  style?: DifferentialStyle;
  showsNoValue: boolean;
  formula: string;
}

/** Is called for all elements outside the rows. */
export function conditionalFormats(
  { rules: effects, theme }: Styles,
  found: (feature: SheetFeature) => void,
) {
  let ranges = "";
  let rules: Rule[] = [];
  return { open, text, close };

  function open(name: string, attributes: Attributes, path: readonly string[]): void {
    if (name === COLLECTION) ranges = attributes["sqref"] ?? "";
    if (!path.includes(COLLECTION)) return;
    const rule = rules.at(-1);
    if (name === "cfRule") rules.push({ attributes, showsNoValue: false, formula: "" });
    else if (name === "dxf" && rule !== undefined) rule.style = new DifferentialStyle();
    else if (rule?.style !== undefined && path.includes("dxf"))
      rule.style.open(name, attributes, path.at(-2));
    else if ((name === "dataBar" || name === "iconSet") && rule !== undefined)
      rule.showsNoValue ||= attributes["showValue"] === "0" || attributes["showValue"] === "false";
  }

  function text(part: string, path: readonly string[]): void {
    const rule = rules.at(-1);
    const name = path.at(-1);
    if (name === "sqref" && path.includes(COLLECTION)) ranges += part;
    else if ((name === "formula" || name === "f") && rule !== undefined && rule.formula.length < FORMULA_MAX)
      rule.formula += part;
  }

  function close(name: string): void {
    if (name !== COLLECTION) return;
    for (const rule of rules) {
      const effect = effectOf(rule);
      if (effect !== undefined) found({ kind: "conditional format", ranges, effect });
    }
    rules = [];
  }

  function effectOf({ attributes, style, showsNoValue, formula }: Rule): RuleEffect | undefined {
    if (showsNoValue) return "shows bars or icons in place of values";
    if (isOfNoPayout(attributes, formula.trim())) return undefined;
    return style?.effect(theme) ?? effects[Number(attributes["dxfId"] ?? -1)];
  }

  /**
   * Whether a rule applies only to zeros, errors or empty cells, which many templates hide and which are never paid.
   * Judged by the formula, as programs do, whatever the type.
   */
  function isOfNoPayout({ type, operator }: Attributes, formula: string): boolean {
    const [cell = ""] = ranges.split(/[:\s]/);
    if (type === "cellIs") return operator === "equal" && /^(?:0|"")$/.test(formula);
    const isOfItself = formula === `ISERROR(${cell})` || formula === `LEN(TRIM(${cell}))=0`;
    return isOfItself && (type === "expression" || type === "containsErrors" || type === "containsBlanks");
  }
}

const COLLECTION = "conditionalFormatting";
const FORMULA_MAX = 255;
