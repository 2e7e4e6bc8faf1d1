/** What a font, a fill and a number format make of a value together, and whether people still see it. Where they are said is not known here. */
import { ANSWER_MARK } from "../../model/answer-columns.ts";
import { BLACK, type Colour, colourOf, standsOut, type Theme, WHITE } from "./colours.ts";
import { isBelow, isSet } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** As it is gathered from the elements of one font. */
export interface Font {
  isStruck: boolean;
  isTiny: boolean;
  /** As the file says it. */
  colour?: Attributes;
}

/** As it is gathered from the elements of one fill. */
export interface Fill {
  pattern: string;
  /** Of the pattern, and of what lies behind it. */
  front?: Attributes;
  back?: Attributes;
}

export function newFont(): Font {
  return { isStruck: false, isTiny: false };
}

export function newFill(): Fill {
  return { pattern: "" };
}

/** One element within a font, or within the properties of a run of text. */
export function addToFont(font: Font, name: string, attributes: Attributes): void {
  if (name === "strike") font.isStruck = isSet(attributes);
  else if (name === "sz") font.isTiny = isBelow(attributes["val"], TYPE_SIZE_MIN);
  else if (name === "color") font.colour = attributes;
}

/** One element within a fill. */
export function addToFill(fill: Fill, name: string, attributes: Attributes): void {
  if (name === "patternFill") fill.pattern = attributes["patternType"] ?? "";
  else if (name === "gradientFill") fill.pattern = "gradient";
  else if (name === "fgColor") fill.front = attributes;
  else if (name === "bgColor") fill.back = attributes;
}

/** In points: smaller letters are specks. */
const TYPE_SIZE_MIN = 4;

/** The ground of a cell; undefined where it is no single colour. */
export function groundOf({ pattern, front }: Fill, theme: Theme): Colour | undefined {
  if (pattern === "" || pattern === "none") return WHITE;
  // Our mark shows that letters were not seen; it does not make them seen.
  if (pattern === "solid" && front?.["rgb"] === ANSWER_MARK) return WHITE;
  return pattern === "solid" ? colourIn(front, BLACK, theme) : undefined;
}

export function isUnseenOn(font: Font, ground: Colour | undefined, theme: Theme): boolean {
  return ground !== undefined && !standsOut(colourIn(font.colour, BLACK, theme), ground);
}

/** What a rule adds to a cell whose own looks are not known: its colours are judged as if they stood alone on white, or under black letters. */
export function hidesByColour(font: Font, fill: Fill, theme: Theme): boolean {
  if (font.colour === undefined && fill.back === undefined && fill.front === undefined) return false;
  const isPlain = fill.pattern === "" || fill.pattern === "solid";
  // The one place where the colour behind the pattern is that of a solid fill.
  return isPlain && isUnseenOn(font, colourIn(fill.back ?? fill.front, WHITE, theme), theme);
}

function colourIn(said: Attributes | undefined, automatic: Colour, theme: Theme): Colour {
  return (said === undefined ? undefined : colourOf(said, theme)) ?? automatic;
}
