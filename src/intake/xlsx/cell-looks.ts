/** Reads how a workbook's styles show their cells: dates, numbers with a unit, struck-out and invisible values. */
import type { Unseen } from "../../model/row.ts";
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
import { BUILT_IN_LOOKS, type FormatLook, GENERAL, lookOfFormat } from "./format-look.ts";
import { FormatRuleLook, type RuleEffect } from "./format-rule-look.ts";
import { readXmlPart } from "./xml-part.ts";
import type { Attributes, XmlHandler } from "./xml-walker.ts";

export interface CellLook extends FormatLook {
  readonly isStruck: boolean;
  /** Why the letters are invisible, if they are. */
  readonly unseen: Unseen | undefined;
  /** Whether white letters are visible on its background. */
  readonly isColoured: boolean;
  /** Whether a short value is repeated to fill the cell. */
  readonly isRepeated: boolean;
}

export interface CellLooks {
  /** By style index (the attribute `s` of a cell). */
  readonly styles: readonly CellLook[];
  /** By the index that conditional formats use: what they do to a value. */
  readonly rules: readonly (RuleEffect | undefined)[];
  readonly theme: Theme;
}

/** The look of a style; of a workbook without that style, or without any, nothing is special. */
export function lookOf({ styles }: CellLooks, style: number): CellLook {
  return styles[style] ?? PLAIN_LOOK;
}

const PLAIN_LOOK: CellLook = {
  ...GENERAL,
  isStruck: false,
  unseen: undefined,
  isColoured: false,
  isRepeated: false,
};

/** Whether a style may not show a value as it is; other styles need no further question. */
export function isSpecial({ hidesText, unseen, isRepeated }: CellLook): boolean {
  return hidesText || isRepeated || unseen !== undefined;
}

/** A workbook may lack either part. Fault: XLSX_MALFORMED for a number format longer than any program accepts. */
export async function readCellLooks(
  archive: Archive,
  stylesPart: string | undefined,
  themePart: string | undefined,
): Promise<CellLooks> {
  const looks = new LooksHandler(archive.path, await readTheme(archive, themePart));
  if (stylesPart !== undefined) await readXmlPart(archive, stylesPart, looks);
  return looks.result();
}

/** Gathers the looks while the elements of the styles part go by. */
class LooksHandler implements XmlHandler {
  private readonly file: string;
  private readonly theme: Theme;
  /** By format id. */
  private readonly formats = new Map(BUILT_IN_LOOKS);
  private readonly styles: (CellLook & { isRepeated: boolean })[] = [];
  private readonly fonts: Font[] = [];
  private readonly fills: Fill[] = [];
  private readonly ruleLooks: FormatRuleLook[] = [];
  /** The open elements, the root first; "" for one of another namespace. */
  private readonly path: string[] = [];

  constructor(file: string, theme: Theme) {
    this.file = file;
    this.theme = theme;
  }

  open(name: string, attributes: Attributes, isForeign: boolean): void {
    const parent = this.path.at(-1);
    this.path.push(isForeign ? "" : name);
    if (isForeign) return;
    const [, section] = this.path;
    if (section === "dxfs") this.openInRules(name, attributes, parent);
    else if (name === "numFmt" && parent === "numFmts") this.addFormat(attributes);
    else if (name === "font" && parent === "fonts") this.fonts.push(newFont());
    else if (section === "fonts") addToFont(this.fonts.at(-1) ?? newFont(), name, attributes);
    else if (name === "fill" && parent === "fills") this.fills.push(newFill());
    else if (section === "fills") addToFill(this.fills.at(-1) ?? newFill(), name, attributes);
    else if (name === "xf" && parent === "cellXfs") this.addStyle(attributes);
    else if (section === "cellXfs" && name === "alignment" && attributes["horizontal"] === "fill")
      this.repeatLast();
  }

  close(): void {
    this.path.pop();
  }

  result(): CellLooks {
    const { styles, theme } = this;
    return { styles, rules: this.ruleLooks.map((look) => look.effect(theme)), theme };
  }

  private openInRules(name: string, attributes: Attributes, parent: string | undefined): void {
    if (name === "dxf") this.ruleLooks.push(new FormatRuleLook());
    else this.ruleLooks.at(-1)?.open(name, attributes, parent);
  }

  private addFormat({ numFmtId = "", formatCode = "" }: Attributes): void {
    // Matching a long format code would take too long.
    if (formatCode.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${formatCode.length} characters`, this.file);
    this.formats.set(numFmtId, lookOfFormat(formatCode));
  }

  private addStyle({ numFmtId = "", fontId = "", fillId = "" }: Attributes): void {
    const { theme } = this;
    const { [Number(fontId)]: font = NO_FONT } = this.fonts;
    const fill = this.fills[Number(fillId)];
    const ground: Colour | undefined = fill === undefined ? WHITE : groundOf(fill, theme);
    this.styles.push({
      ...(this.formats.get(numFmtId) ?? GENERAL),
      isStruck: font.isStruck,
      unseen: font.isTiny ? "size" : isUnseenOn(font, ground, theme) ? "colour" : undefined,
      isColoured: ground === undefined || !isUnseenOn(WHITE_FONT, ground, theme),
      isRepeated: false,
    });
  }

  private repeatLast(): void {
    const last = this.styles.at(-1);
    if (last !== undefined) last.isRepeated = true;
  }
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;

const NO_FONT = newFont();
const WHITE_FONT: Font = { ...newFont(), colour: { rgb: "FFFFFFFF" } };
