/** What the styles of a workbook say about the meaning of its cells: dates, numbers with a unit, what is struck out, what nobody sees. */
import type { Unseen } from "../../model/row.ts";
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed } from "./archive.ts";
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
import {
  BUILT_IN_DATE_FORMATS,
  BUILT_IN_NUMBER_FORMATS,
  BUILT_IN_UNITS,
  hidesText,
  isDateFormat,
  type ShownDigits,
  shownDigitsOfFormat,
  unitOfFormat,
} from "./number-formats.ts";
import { readXmlPart } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** By style indexes, the attribute `s` of a cell. */
export interface CellLooks {
  /** Those that show a number as a date or a time. */
  readonly dates: ReadonlySet<number>;
  /** Those that show a number with a unit, or not as it is. */
  readonly units: ReadonlyMap<number, string>;
  /** Those that show a whole number with zeros before it, and how many digits it has at least. */
  readonly digitsMin: ReadonlyMap<number, number>;
  /** Those that show a number with so many digits and no more. */
  readonly shownDigits: ReadonlyMap<number, ShownDigits>;
  readonly struck: ReadonlySet<number>;
  /** Those that show another text than the cell holds, or none. */
  readonly hidingText: ReadonlySet<number>;
  /** Those whose letters nobody sees. */
  readonly unseen: ReadonlyMap<number, Unseen>;
  /** Those that repeat a short value until the cell is full. */
  readonly repeating: ReadonlySet<number>;
  /** Those of the last three, all others show each value as it is: asked of every cell, so at once. */
  readonly special: ReadonlySet<number>;
  /** Those whose cells are not white, and so no ground on which white letters are lost. */
  readonly coloured: ReadonlySet<number>;
  /** By the index that conditional formats have for them: what they do to a value. */
  readonly rules: ReadonlyMap<number, RuleEffect>;
  readonly theme: Theme;
}

/** The parts that say it, which a workbook may lack. */
export interface LookParts {
  readonly styles: string | undefined;
  readonly theme: string | undefined;
}

/** Nothing special without a styles part. Fault: XLSX_MALFORMED for a number format that is longer than any program takes. */
export async function readCellLooks(
  archive: Archive,
  { styles, theme }: LookParts,
  limits: FileLimits,
): Promise<CellLooks> {
  const numbers = new NumberLooks(archive.path);
  const struck = new Set<number>();
  const unseen = new Map<number, Unseen>();
  const coloured = new Set<number>();
  const repeating = new Set<number>();
  const special = new Set<number>();
  const rules = new Map<number, RuleEffect>();
  const colours = await readTheme(archive, theme, limits);
  const looks = { ...numbers.looks, struck, unseen, coloured, repeating, special, rules, theme: colours };
  if (styles === undefined) return looks;
  const fonts: Font[] = [];
  const fills: Fill[] = [];
  const ruleLooks: FormatRuleLook[] = [];
  const path: string[] = [];
  let style = -1;

  const addStyle = ({ numFmtId = "", fontId = "", fillId = "" }: Attributes) => {
    style += 1;
    numbers.addStyle(style, numFmtId);
    const { [Number(fontId)]: font = NO_FONT } = fonts;
    const fill = fills[Number(fillId)];
    const ground: Colour | undefined = fill === undefined ? WHITE : groundOf(fill, colours);
    if (font.isStruck) struck.add(style);
    if (ground === undefined || !isUnseenOn(WHITE_FONT, ground, colours)) coloured.add(style);
    if (font.isTiny) unseen.set(style, "size");
    else if (isUnseenOn(font, ground, colours)) unseen.set(style, "colour");
  };
  const open = (name: string, attributes: Attributes, isForeign: boolean) => {
    const parent = path.at(-1);
    path.push(isForeign ? "" : name);
    if (isForeign) return;
    if (path[1] === "dxfs") {
      if (name === "dxf") ruleLooks.push(new FormatRuleLook());
      else ruleLooks.at(-1)?.open(name, attributes, parent);
    } else if (name === "numFmt" && parent === "numFmts") numbers.addFormat(attributes);
    else if (name === "font" && parent === "fonts") fonts.push(newFont());
    else if (path[1] === "fonts") addToFont(fonts.at(-1) ?? newFont(), name, attributes);
    else if (name === "fill" && parent === "fills") fills.push(newFill());
    else if (path[1] === "fills") addToFill(fills.at(-1) ?? newFill(), name, attributes);
    else if (name === "xf" && parent === "cellXfs") addStyle(attributes);
    else if (name === "alignment" && path[1] === "cellXfs" && attributes["horizontal"] === "fill")
      repeating.add(style);
  };
  await readXmlPart(archive, styles, { open, close: () => path.pop() }, limits);
  for (const each of [looks.hidingText, unseen.keys(), repeating])
    for (const index of each) special.add(index);
  for (const [index, look] of ruleLooks.entries()) {
    const effect = look.effect(colours);
    if (effect !== undefined) rules.set(index, effect);
  }
  return looks;
}

const NO_FONT = newFont();
const WHITE_FONT: Font = { ...newFont(), colour: { rgb: "FFFFFFFF" } };

/** The looks that number formats give. */
class NumberLooks {
  readonly looks = {
    dates: new Set<number>(),
    units: new Map<number, string>(),
    digitsMin: new Map<number, number>(),
    shownDigits: new Map<number, ShownDigits>(),
    hidingText: new Set<number>(),
  };
  private readonly path: string;
  private readonly dateFormats = new Set(BUILT_IN_DATE_FORMATS);
  private readonly unitFormats = new Map(BUILT_IN_UNITS);
  private readonly zeroFormats = new Map<string, number>();
  private readonly digitFormats = new Map<string, ShownDigits>();
  private readonly hidingFormats = new Set<string>();

  constructor(path: string) {
    this.path = path;
    for (const [numFmtId, formatCode] of BUILT_IN_NUMBER_FORMATS) this.addFormat({ numFmtId, formatCode });
  }

  addFormat({ numFmtId: id = "", formatCode: code = "" }: Attributes): void {
    // The patterns by which it is read take time.
    if (code.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${code.length} characters`, this.path);
    const formats = [
      this.dateFormats,
      this.unitFormats,
      this.zeroFormats,
      this.digitFormats,
      this.hidingFormats,
    ];
    for (const each of formats) each.delete(id);
    const unit = unitOfFormat(code);
    const shownDigits = shownDigitsOfFormat(code);
    if (isDateFormat(code)) this.dateFormats.add(id);
    else if (unit !== undefined) this.unitFormats.set(id, unit);
    else if (/^0{2,}$/.test(code)) this.zeroFormats.set(id, code.length);
    if (hidesText(code)) this.hidingFormats.add(id);
    if (shownDigits !== undefined) this.digitFormats.set(id, shownDigits);
  }

  addStyle(style: number, format: string): void {
    const { looks } = this;
    const unit = this.unitFormats.get(format);
    const digitsMin = this.zeroFormats.get(format);
    const shownDigits = this.digitFormats.get(format);
    if (this.dateFormats.has(format)) looks.dates.add(style);
    if (unit !== undefined) looks.units.set(style, unit);
    if (digitsMin !== undefined) looks.digitsMin.set(style, digitsMin);
    if (shownDigits !== undefined) looks.shownDigits.set(style, shownDigits);
    if (this.hidingFormats.has(format)) looks.hidingText.add(style);
  }
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;
