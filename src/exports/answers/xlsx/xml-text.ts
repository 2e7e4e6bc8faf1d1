/**
 * Edits XML parts as text; unchanged text stays identical. Intake has checked that the parts are well-formed and
 * without document types. Elements are named with their prefix, as the part writes them.
 */

/** End of the tag that begins at `start`, after its `>`; -1 if the text ends before. */
export function endOfTag(xml: string, start: number): number {
  TAG.lastIndex = start;
  return TAG.test(xml) ? TAG.lastIndex : -1;
}

const TAG = /<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/y;

/** End of the element that begins at `start`, or -1. It must not contain another element of its name. */
export function endOfElement(xml: string, start: number, name: string): number {
  const opened = endOfTag(xml, start);
  if (opened < 0 || xml.charAt(opened - 2) === "/") return opened;
  for (let from = opened; ; ) {
    const close = xml.indexOf(`</${name}`, from);
    if (close < 0) return -1;
    // Comments, CDATA and processing instructions may contain text that looks like the closing tag.
    const special = xml.slice(from, close).search(/<[!?]/);
    if (special < 0) {
      if (/[\s>]/.test(xml.charAt(close + name.length + 2))) return xml.indexOf(">", close) + 1;
      from = close + 1;
      continue;
    }
    from = endOfSpecial(xml, from + special);
    if (from < 0) return -1;
  }
}

/** End of the comment, CDATA section or processing instruction that begins at `start`. */
export function endOfSpecial(xml: string, start: number): number {
  const end = SPECIAL_ENDS.find(([begin]) => xml.startsWith(begin, start))?.[1] ?? ">";
  const found = xml.indexOf(end, start);
  return found < 0 ? -1 : found + end.length;
}

const SPECIAL_ENDS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** The elements of this name as text, in order. Does not work for elements that contain their own name. */
export function elementsOf(xml: string, name: string): string[] {
  return Array.from(placesOf(xml, name), ([start, end]) => xml.slice(start, end));
}

/** The text without the elements of this name for which `isGone` holds. */
export function withoutElements(xml: string, name: string, isGone: (element: string) => boolean): string {
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of placesOf(xml, name)) {
    if (!isGone(xml.slice(start, end))) continue;
    kept.push(xml.slice(from, start));
    from = end;
  }
  return kept.join("") + xml.slice(from);
}

function* placesOf(xml: string, name: string): Generator<readonly [start: number, end: number]> {
  let end = 0;
  for (let start = indexOfElement(xml, name); start >= 0; start = indexOfElement(xml, name, end)) {
    end = endOfElement(xml, start, name);
    if (end < 0) return;
    yield [start, end];
  }
}

/** Start of the next opening tag of this name, or -1. */
export function indexOfElement(xml: string, name: string, from = 0): number {
  for (let start = xml.indexOf(`<${name}`, from); start >= 0; start = xml.indexOf(`<${name}`, start + 1)) {
    if (/[\s/>]/.test(xml.charAt(start + name.length + 1))) return start;
  }
  return -1;
}

/** Attribute of the first tag in `xml`. */
export function attributeOf(xml: string, name: string): string | undefined {
  const tag = xml.slice(0, endOfTag(xml, 0));
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  const value = double ?? single;
  return value === undefined ? undefined : unescapeXml(value);
}

/** The id of the relationship that the first tag names: `r:id`, whatever its prefix. */
export function relationshipIdOf(xml: string): string | undefined {
  return attributeOf(xml, "[\\w.-]+:id");
}

/** Sets an attribute of the element's first tag, or removes it (undefined). */
export function withAttribute(xml: string, name: string, value: string | undefined): string {
  const end = endOfTag(xml, 0);
  const bare = xml.slice(0, end).replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), "");
  const set = value === undefined ? "" : ` ${name}="${escapeXml(value)}"`;
  return bare.replace(/\s*(\/?>)$/, (close) => `${set}${close.trim()}`) + xml.slice(end);
}

/** Appends `added` as the last child of the first element of this name, opening it if it is empty. */
export function appendTo(xml: string, name: string, added: string): string {
  const start = indexOfElement(xml, name);
  if (start < 0) return xml;
  const opened = endOfTag(xml, start);
  if (xml.charAt(opened - 2) === "/")
    return `${xml.slice(0, opened - 2)}>${added}</${name}>${xml.slice(opened)}`;
  const close = xml.lastIndexOf(`</${name}`);
  return xml.slice(0, close) + added + xml.slice(close);
}

/** Inserts `added` before the first of the elements that must follow it, or before the part's closing tag. */
export function insertBefore(xml: string, laterNames: readonly string[], added: string): string {
  const found = xml.search(new RegExp(`<(?:[\\w.-]+:)?(?:${laterNames.join("|")})[\\s/>]`));
  const at = found >= 0 ? found : xml.lastIndexOf("</");
  return xml.slice(0, at) + added + xml.slice(at);
}

/** Namespace prefix of a part's elements with its colon, taken from the root: "x:" or "". */
export function prefixOf(xml: string, rootName: string): string {
  return new RegExp(`<([\\w.-]+:)?${rootName}[\\s/>]`).exec(xml)?.[1] ?? "";
}

export function escapeXml(text: string): string {
  if (!/[&<>"\r\n\t]/.test(text)) return text;
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function unescapeXml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, hex === "" ? 10 : 16)),
    )
    .replaceAll("&amp;", "&");
}

/**
 * A text as an element `<t>`. Characters that XML would change or cannot contain are escaped as `_xHHHH_`, and so
 * is a literal `_x0041_` (ECMA-376 part 1, 22.9.2.19 ST_Xstring).
 */
export function textElement(prefix: string, text: string): string {
  const shortened = asLongAsCell(text);
  const space = /^\s|\s$|[\n\t]/.test(shortened) ? ' xml:space="preserve"' : "";
  const escaped = escapeXml(shortened.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")).replace(
    UNWRITABLE,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
  return `<${prefix}t${space}>${escaped}</${prefix}t>`;
}

/** Excel's own limit for a cell. */
const TEXT_LENGTH_MAX = 32_767;

export function asLongAsCell(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX - 3)}...` : text;
}

/** Everything but the characters of XML 1.0, and the carriage return, which XML reads as a line feed. */
const UNWRITABLE = /[^\t\n -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
