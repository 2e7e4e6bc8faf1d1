/** Reads how a workbook's styles show their cells: dates, numbers with a unit, struck-out and invisible values. */
import type { Unseen } from "../../model/row.ts";
import { type Archive, malformed } from "./archive.ts";
import { type Colour, readTheme, type Theme, WHITE } from "./colours.ts";
import { DifferentialStyle, type RuleEffect } from "./differential-style.ts";
import {
  addToFill,
  addToFont,
  type Fill,
  type Font,
  groundOf,
  isUnseenOn,
  newFill,
  newFont,
} from "./font-visibility.ts";
import { BUILT_IN_DISPLAYS, displayOf, type FormatDisplay, GENERAL_DISPLAY } from "./number-formats.ts";
import { readXmlPart } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

export interface CellStyle extends FormatDisplay {
  readonly isStruck: boolean;
  /** Why the letters are invisible, if they are. */
  readonly unseen: Unseen | undefined;
  /** Whether white letters are visible on its background. */
  readonly isColoured: boolean;
  /** Whether a short value is repeated to fill the cell. */
  readonly isRepeated: boolean;
}

/** What the styles part (`styles.xml`) and the theme define, as far as it shows or hides values. */
export interface Styles {
  /** By style index (the attribute `s` of a cell). */
  readonly cells: readonly CellStyle[];
  /** By the index that conditional formats use: what they do to a value. */
  readonly rules: readonly (RuleEffect | undefined)[];
  readonly theme: Theme;
}

/** The style of this index; a plain one in a workbook without it, or without any. */
export function styleOf({ cells }: Styles, styleIndex: number): CellStyle {
  return cells[styleIndex] ?? PLAIN_STYLE;
}

const PLAIN_STYLE: CellStyle = {
  ...GENERAL_DISPLAY,
  isStruck: false,
  unseen: undefined,
  isColoured: false,
  isRepeated: false,
};

/** Whether a style may not show a value as it is; other styles need no further question. */
export function isSpecial({ hidesText, unseen, isRepeated }: CellStyle): boolean {
  return hidesText || isRepeated || unseen !== undefined;
}

/** A workbook may lack either part. Fault: XLSX_MALFORMED for a number format longer than any program accepts. */
export async function readStyles(
  archive: Archive,
  stylesPart: string | undefined,
  themePart: string | undefined,
): Promise<Styles> {
  const styles = stylesHandler(archive.path, await readTheme(archive, themePart));
  if (stylesPart !== undefined) await readXmlPart(archive, stylesPart, styles);
  return styles.result();
}

/** Gathers the styles while the elements of the styles part go by. */
function stylesHandler(file: string, theme: Theme) {
  /** By format id. */
  const formats = new Map(BUILT_IN_DISPLAYS);
  const cells: (CellStyle & { isRepeated: boolean })[] = [];
  const fonts: Font[] = [];
  const fills: Fill[] = [];
  const rules: DifferentialStyle[] = [];
  /** The open elements, the root first; "" for one of another namespace. */
  const path: string[] = [];
  return { open, close, result };

  function open(name: string, attributes: Attributes, isForeign: boolean): void {
    const parent = path.at(-1);
    path.push(isForeign ? "" : name);
    if (isForeign) return;
    const [, section] = path;
    if (section === "dxfs") openInRules(name, attributes, parent);
    else if (name === "numFmt" && parent === "numFmts") addFormat(attributes);
    else if (name === "font" && parent === "fonts") fonts.push(newFont());
    else if (section === "fonts") addToFont(fonts.at(-1) ?? newFont(), name, attributes);
    else if (name === "fill" && parent === "fills") fills.push(newFill());
    else if (section === "fills") addToFill(fills.at(-1) ?? newFill(), name, attributes);
    else if (name === "xf" && parent === "cellXfs") addStyle(attributes);
    else if (section === "cellXfs" && name === "alignment" && attributes["horizontal"] === "fill")
      repeatLast();
  }

  function close(): void {
    path.pop();
  }

  function result(): Styles {
    return { cells, rules: rules.map((rule) => rule.effect(theme)), theme };
  }

  function openInRules(name: string, attributes: Attributes, parent: string | undefined): void {
    if (name === "dxf") rules.push(new DifferentialStyle());
    else rules.at(-1)?.open(name, attributes, parent);
  }

  function addFormat({ numFmtId = "", formatCode = "" }: Attributes): void {
    // Matching a long format code would take too long.
    if (formatCode.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${formatCode.length} characters`, file);
    formats.set(Number(numFmtId), displayOf(formatCode));
  }

  function addStyle({ numFmtId = "", fontId = "", fillId = "" }: Attributes): void {
    const { [Number(fontId)]: font = NO_FONT } = fonts;
    const fill = fills[Number(fillId)];
    const ground: Colour | undefined = fill === undefined ? WHITE : groundOf(fill, theme);
    cells.push({
      ...(formats.get(Number(numFmtId)) ?? GENERAL_DISPLAY),
      isStruck: font.isStruck,
      unseen: font.isTiny ? "size" : isUnseenOn(font, ground, theme) ? "colour" : undefined,
      isColoured: ground === undefined || !isUnseenOn(WHITE_FONT, ground, theme),
      isRepeated: false,
    });
  }

  function repeatLast(): void {
    const last = cells.at(-1);
    if (last !== undefined) last.isRepeated = true;
  }
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;

const NO_FONT = newFont();
const WHITE_FONT: Font = { ...newFont(), colour: { rgb: "FFFFFFFF" } };
