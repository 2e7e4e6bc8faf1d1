/** Decides whether a font on a fill leaves a value visible. Independent of where fonts and fills are defined. */
import { ANSWER_MARK } from "../../model/answer-columns.ts";
import { BLACK, type Colour, colourOf, standsOut, type Theme, WHITE } from "./colours.ts";
import { isBelow, isSet } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** Gathered from the elements of one font. */
export interface Font {
  isStruck: boolean;
  isTiny: boolean;
  /** As written in the file. */
  colour?: Attributes;
}

/** Gathered from the elements of one fill. */
export interface Fill {
  pattern: string;
  /** The colours of the pattern and of its background. */
  front?: Attributes;
  back?: Attributes;
}

export function newFont(): Font {
  return { isStruck: false, isTiny: false };
}

export function newFill(): Fill {
  return { pattern: "" };
}

/** Adds one element of a font, or of the properties of a text run. */
export function addToFont(font: Font, name: string, attributes: Attributes): void {
  if (name === "strike") font.isStruck = isSet(attributes);
  else if (name === "sz") font.isTiny = isBelow(attributes["val"], TYPE_SIZE_MIN);
  else if (name === "color") font.colour = attributes;
}

/** Adds one element of a fill. */
export function addToFill(fill: Fill, name: string, attributes: Attributes): void {
  if (name === "patternFill") fill.pattern = attributes["patternType"] ?? "";
  else if (name === "gradientFill") fill.pattern = "gradient";
  else if (name === "fgColor") fill.front = attributes;
  else if (name === "bgColor") fill.back = attributes;
}

/** In points; smaller letters are illegible. */
const TYPE_SIZE_MIN = 4;

/** The background colour of a cell; undefined if it is not a single colour. */
export function groundOf({ pattern, front }: Fill, theme: Theme): Colour | undefined {
  if (pattern === "" || pattern === "none") return WHITE;
  // Our own red mark points out invisible letters; it does not make them visible.
  if (pattern === "solid" && front?.["rgb"] === ANSWER_MARK) return WHITE;
  return pattern === "solid" ? colourIn(front, BLACK, theme) : undefined;
}

export function isUnseenOn(font: Font, ground: Colour | undefined, theme: Theme): boolean {
  return ground !== undefined && !standsOut(colourIn(font.colour, BLACK, theme), ground);
}

/** Whether a rule's colours hide a value, on white or under black letters: the cell's own style is unknown. */
export function hidesByColour(font: Font, fill: Fill, theme: Theme): boolean {
  if (font.colour === undefined && fill.back === undefined && fill.front === undefined) return false;
  const isPlain = fill.pattern === "" || fill.pattern === "solid";
  // Only here is the pattern's background the colour of a solid fill.
  return isPlain && isUnseenOn(font, colourIn(fill.back ?? fill.front, WHITE, theme), theme);
}

function colourIn(said: Attributes | undefined, automatic: Colour, theme: Theme): Colour {
  return (said === undefined ? undefined : colourOf(said, theme)) ?? automatic;
}
