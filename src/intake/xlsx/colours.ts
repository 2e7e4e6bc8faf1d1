/**
 * The colours of fonts and fills, as far as needed to decide whether letters are visible on their background. Sources:
 * ECMA-376 part 1, 18.8.3 (colours), 18.8.27 (palette), 20.1.6.2 (theme).
 */
import type { Archive } from "./archive.ts";
import { isTrue, readXmlPart } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** Red, green and blue, from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

export const BLACK: Colour = [0, 0, 0];
export const WHITE: Colour = [255, 255, 255];

/** The theme's colours, by the index that fonts and fills use. */
export type Theme = readonly Colour[];

/** Reads the theme's colours; the default ones if there is none. Unreadable colours count as no background. */
export async function readTheme(archive: Archive, partName: string | undefined): Promise<Theme> {
  const found = new Map<string, Colour>();
  if (partName === undefined) return [WHITE, BLACK];
  await readXmlPart(archive, partName, {
    open(_name, { val, lastClr }, _isForeign, path) {
      const use = path.at(-2) ?? "";
      if (path.at(-3) !== "clrScheme" || found.has(use)) return;
      const colour = ofDigits(lastClr ?? val);
      if (colour !== undefined) found.set(use, colour);
    },
  });
  return THEME_COLOURS.map((name, index) => found.get(name) ?? (index === 0 ? WHITE : BLACK));
}

const THEME_COLOURS = "lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink".split(
  " ",
);

/** Undefined for an automatic colour, and for one that no program supports. */
export function colourOf(
  { auto, rgb, theme, indexed, tint }: Attributes,
  themeColours: Theme,
): Colour | undefined {
  if (isTrue(auto)) return undefined;
  const plain = ofDigits(rgb) ?? themeColours[numberOf(theme)] ?? PALETTE[numberOf(indexed)];
  return plain === undefined ? undefined : tinted(plain, Number(tint ?? 0));
}

/** Whether letters of one colour are visible on the other. Light grey on white counts, barely. */
export function standsOut(letters: Colour, ground: Colour): boolean {
  return letters.some((part, index) => Math.abs(part - (ground[index] ?? 0)) > SAME_COLOUR_MAX);
}

const SAME_COLOUR_MAX = 24;

/** Hex digits, with or without a leading opacity, which programs ignore. */
function ofDigits(digits = ""): Colour | undefined {
  const [, red, green, blue] =
    /^(?:[0-9a-f]{2})?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(digits) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function numberOf(index: string | undefined): number {
  return index === undefined ? -1 : Number(index);
}

/** Applies a tint: lighter above zero, darker below. */
function tinted(colour: Colour, tint: number): Colour {
  const [red, green, blue] = colour.map((part) =>
    tint > 0 ? part + (255 - part) * tint : part * (1 + tint),
  );
  return Number.isFinite(tint) ? [red ?? 0, green ?? 0, blue ?? 0] : colour;
}

const PALETTE_DIGITS =
  "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF " +
  "800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF " +
  "000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 " +
  "3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333 " +
  // The system's window colours.
  "000000 FFFFFF";
const PALETTE: readonly (Colour | undefined)[] = PALETTE_DIGITS.split(" ").map((digits) => ofDigits(digits));
