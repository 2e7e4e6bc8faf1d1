/** Reads what a workbook's styles mean for its cells: dates, numbers with a unit, struck-out and invisible values. */
import type { Unseen } from "../../model/row.ts";
import type { Archive } from "./archive.ts";
import { type Colour, readTheme, type Theme, WHITE } from "./colours.ts";
import {
  addToFill,
  addToFont,
  type Fill,
  type Font,
  groundOf,
  isUnseenOn,
  newFill,
  newFont,
} from "./font-look.ts";
import { FormatRuleLook, type RuleEffect } from "./format-rule-look.ts";
import type { BareDigits, ShownDigits } from "./number-formats.ts";
import { NumberLooks } from "./number-looks.ts";
import { readXmlPart } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

/** Cell styles with a special look, by style index (the attribute `s` of a cell). */
export interface CellLooks {
  /** Styles that show a number as a date or a time. */
  readonly dates: ReadonlySet<number>;
  /** Of those, the styles that do not show which day of the month it is. */
  readonly hidingDay: ReadonlySet<number>;
  /** Styles that show a number with a unit, or as something else. */
  readonly units: ReadonlyMap<number, string>;
  /** Of styles with a number format: which whole numbers they show as digits alone. */
  readonly bareDigits: ReadonlyMap<number, BareDigits>;
  /** Styles that limit the digits shown. */
  readonly shownDigits: ReadonlyMap<number, ShownDigits>;
  readonly struck: ReadonlySet<number>;
  /** Styles that show another text than the cell's, or none. */
  readonly hidingText: ReadonlySet<number>;
  /** Styles with invisible letters. */
  readonly unseen: ReadonlyMap<number, Unseen>;
  /** Styles that repeat a short value to fill the cell. */
  readonly repeating: ReadonlySet<number>;
  /**
   * Union of hidingText, unseen and repeating: one quick look-up per cell, since all other styles show a value as it
   * is.
   */
  readonly special: ReadonlySet<number>;
  /** Styles with a background on which white letters are visible. */
  readonly coloured: ReadonlySet<number>;
  /** By the index that conditional formats use: what they do to a value. */
  readonly rules: ReadonlyMap<number, RuleEffect>;
  readonly theme: Theme;
}

/** The parts that define the looks; a workbook may lack either. */
export interface LookParts {
  readonly styles: string | undefined;
  readonly theme: string | undefined;
}

/**
 * Reads the looks of all cell styles; without a styles part no style is special. Fault: XLSX_MALFORMED for a number
 * format longer than any program accepts.
 */
export async function readCellLooks(archive: Archive, { styles, theme }: LookParts): Promise<CellLooks> {
  const looks = new LooksHandler(archive.path, await readTheme(archive, theme));
  if (styles !== undefined) await readXmlPart(archive, styles, looks);
  return looks.result();
}

/** Gathers the looks while the elements of the styles part go by. */
class LooksHandler implements XmlHandler {
  private readonly numbers: NumberLooks;
  private readonly theme: Theme;
  private readonly struck = new Set<number>();
  private readonly unseen = new Map<number, Unseen>();
  private readonly coloured = new Set<number>();
  private readonly repeating = new Set<number>();
  private readonly fonts: Font[] = [];
  private readonly fills: Fill[] = [];
  private readonly ruleLooks: FormatRuleLook[] = [];
  /** The open elements, the root first; "" for one of another namespace. */
  private readonly path: string[] = [];
  private style = -1;

  constructor(path: string, theme: Theme) {
    this.numbers = new NumberLooks(path);
    this.theme = theme;
  }

  open(name: string, attributes: Attributes, isForeign: boolean): void {
    const parent = this.path.at(-1);
    this.path.push(isForeign ? "" : name);
    if (isForeign) return;
    const [, section] = this.path;
    if (section === "dxfs") this.openInRules(name, attributes, parent);
    else if (name === "numFmt" && parent === "numFmts") this.numbers.addFormat(attributes);
    else if (name === "font" && parent === "fonts") this.fonts.push(newFont());
    else if (section === "fonts") addToFont(this.fonts.at(-1) ?? newFont(), name, attributes);
    else if (name === "fill" && parent === "fills") this.fills.push(newFill());
    else if (section === "fills") addToFill(this.fills.at(-1) ?? newFill(), name, attributes);
    else if (name === "xf" && parent === "cellXfs") this.addStyle(attributes);
    else if (section === "cellXfs" && name === "alignment" && attributes["horizontal"] === "fill")
      this.repeating.add(this.style);
  }

  close(): void {
    this.path.pop();
  }

  result(): CellLooks {
    const { numbers, struck, unseen, coloured, repeating, theme } = this;
    const special = new Set([...numbers.looks.hidingText, ...unseen.keys(), ...repeating]);
    const rules = new Map<number, RuleEffect>();
    for (const [index, look] of this.ruleLooks.entries()) {
      const effect = look.effect(theme);
      if (effect !== undefined) rules.set(index, effect);
    }
    return { ...numbers.looks, struck, unseen, coloured, repeating, special, rules, theme };
  }

  private openInRules(name: string, attributes: Attributes, parent: string | undefined): void {
    if (name === "dxf") this.ruleLooks.push(new FormatRuleLook());
    else this.ruleLooks.at(-1)?.open(name, attributes, parent);
  }

  private addStyle({ numFmtId = "", fontId = "", fillId = "" }: Attributes): void {
    this.style += 1;
    const { style, theme } = this;
    this.numbers.addStyle(style, numFmtId);
    const { [Number(fontId)]: font = NO_FONT } = this.fonts;
    const fill = this.fills[Number(fillId)];
    const ground: Colour | undefined = fill === undefined ? WHITE : groundOf(fill, theme);
    if (font.isStruck) this.struck.add(style);
    if (ground === undefined || !isUnseenOn(WHITE_FONT, ground, theme)) this.coloured.add(style);
    if (font.isTiny) this.unseen.set(style, "size");
    else if (isUnseenOn(font, ground, theme)) this.unseen.set(style, "colour");
  }
}

const NO_FONT = newFont();
const WHITE_FONT: Font = { ...newFont(), colour: { rgb: "FFFFFFFF" } };
