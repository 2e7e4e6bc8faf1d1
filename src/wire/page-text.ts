/**
 * Cuts the texts of the elements out of a search answer, so that an element whose text is known need not be parsed.
 * Judges nothing: `parseJson` parses the other elements, in their page.
 */
import { endOfText } from "./json.ts";

export interface PageText {
  /** The texts of `results.content`, without white space around them. */
  readonly elements: readonly string[];
  /**
   * The page with only these of its elements. If the other elements are valid, the result is valid exactly if the
   * page is.
   */
  withOnly(elements: readonly string[]): string;
}

const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** Undefined if the elements are not found: then the page must be parsed as a whole. */
export function cutPage(text: string): PageText | undefined {
  const start = startOfContent(text);
  if (start === undefined) return undefined;
  const elements: string[] = [];
  let [level, from, at] = [0, start, start];
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      // Most texts are short, so checking character by character is faster than a search.
      for (at += 1; at < text.length; at += 1) {
        const inside = text.charCodeAt(at);
        if (inside === QUOTE) break;
        if (inside === BACKSLASH) at += 1;
      }
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) level += 1;
    else if (level > 0 && (code === CLOSING_BRACE || code === CLOSING_BRACKET)) level -= 1;
    else if (level === 0 && code === COMMA) {
      elements.push(trimmed(text, from, at));
      from = at + 1;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) break;
  }
  const last = trimmed(text, from, at);
  if (last !== "" || elements.length > 0) elements.push(last);
  // Without this check a surplus comma would go unnoticed.
  if (elements.includes("")) return undefined;
  const [head, tail] = [text.slice(0, start), text.slice(at)];
  return { elements, withOnly: (some) => `${head}${some.join(",")}${tail}` };
}

/** The offset after the opening bracket of `results.content`. */
function startOfContent(text: string): number | undefined {
  let level = 0;
  let isInResults = false;
  let name = "";
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfText(text, at);
      name = isInResults || level === 1 ? nameAt(text, at, end) : "";
      at = end - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      level += 1;
      if (isInResults && level === 3 && code === OPENING_BRACKET && name === "content") return at + 1;
      if (level === 2) isInResults = code === OPENING_BRACE && name === "results";
      name = "";
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      level -= 1;
      isInResults &&= level >= 2;
    } else if (code === COMMA) name = "";
  }
  return undefined;
}

/** The text between the quotes if a colon follows; otherwise empty. */
function nameAt(text: string, open: number, end: number): string {
  return /^\s*:/.test(text.slice(end, end + NAME_DISTANCE_MAX)) ? text.slice(open + 1, end - 1) : "";
}

/** A name whose colon is farther away is ignored. */
const NAME_DISTANCE_MAX = 20;

function trimmed(text: string, from: number, to: number): string {
  let [first, last] = [from, to];
  while (first < last && isBlank(text.charCodeAt(first))) first += 1;
  while (first < last && isBlank(text.charCodeAt(last - 1))) last -= 1;
  return text.slice(first, last);
}

/** White space of JSON (RFC 8259, section 2). */
function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}
