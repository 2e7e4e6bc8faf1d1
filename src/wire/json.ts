/**
 * JSON with exact numbers. Reading keeps every number as the digits that were sent, writing emits decimals and
 * int64 values as plain number literals, so that no value on the wire ever passes through a binary float.
 * A number is read as its digits after NUMBER_MARK: `{"a":0.10}` becomes `{ a: "\u00000.10" }`. The mark keeps a
 * number apart from a text of the same digits; `primitives.ts` takes it off. The value of the digits is not judged
 * here.
 */
import { Decimal } from "../money/index.ts";

export const NUMBER_MARK = "\u0000";

/** JSON, valid as far as it was read, that is refused as an answer. */
export class RefusedJson extends SyntaxError {}

/** Far more than any answer has, and few enough for recursive functions such as `writeJson`. */
const LEVELS_MAX = 500;

/** Far more than any object of the interface has. An object of many thousand names takes long to read. */
const MEMBERS_MAX = 1000;

/** No answer of the interface is this dense: this many lists, objects and numbers, one in each few characters. */
const DENSE_FROM = 100_000;
const CHARACTERS_EACH_MIN = 6;

/** JSON has no other way to write NUL: its escapes have a lower-case `u`. */
const ESCAPED_MARK = "\\u0000";
const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;
const LOWER_CASE_BIT = 32;
const LOWER_CASE_E = 101;

/**
 * Parses JSON text, numbers as marked digits. Throws a SyntaxError for everything that JSON.parse refuses and for a
 * text that begins with NUL (it would pass for a number), a RefusedJson for more than 500 levels, for an object of
 * more than 1000 members, and for hardly more than brackets and digits. If an object has several members of one
 * name, the last counts, as with JSON.parse; with "refused" they are a RefusedJson (RFC 7493, section 2.3), because
 * in an answer about money either of two amounts may be meant.
 */
export function parseJson(text: string, repeatedNames: "allowed" | "refused" = "allowed"): unknown {
  const scanned = scan(text);
  const root = [JSON.parse(text) as unknown];
  const placed: Placed = { numbers: 0, members: 0, inTextOrder: true };
  placeNumbers(root, scanned.numbers, placed);
  const noneRepeated = placed.members === scanned.members;
  if (!noneRepeated && repeatedNames === "refused") {
    throw new RefusedJson("an object has two members of one name");
  }
  return noneRepeated && placed.inTextOrder ? root[0] : JSON.parse(text, markedSource);
}

/** Decimals and bigints become number literals; undefined members are left out. `indent`: blanks a level. */
export function writeJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, exactNumbers, indent);
}

function exactNumbers(_key: string, value: unknown): unknown {
  if (typeof value === "bigint" || value instanceof Decimal) return rawJson(value.toString());
  if (typeof value === "string" && value.startsWith(NUMBER_MARK)) return rawJson(value.slice(1));
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new RangeError(`a binary float must not be written: ${value}`);
  }
  return value;
}

/** `JSON.rawJSON` (Node 22 and later), which TypeScript's library does not declare yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Scans the text outside strings: all numbers, marked, in order, and the count of members. */
function scan(text: string) {
  const numbers: string[] = [];
  let members = 0;
  let holders = 0;
  let level = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (text.charCodeAt(at + 1) === BACKSLASH && text.startsWith(ESCAPED_MARK, at + 1)) {
        throw new SyntaxError("a text begins with a NUL character");
      }
      at = endOfText(text, at);
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      numbers.push(NUMBER_MARK + text.slice(at, end));
      at = end;
    } else {
      if (code === COLON) members += 1;
      else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
        level += 1;
        holders += 1;
      } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) level -= 1;
      if (level > LEVELS_MAX) throw new RefusedJson(`more than ${LEVELS_MAX} levels`);
      at += 1;
    }
  }
  const count = holders + numbers.length;
  if (count > DENSE_FROM && text.length < count * CHARACTERS_EACH_MIN)
    throw new RefusedJson("hardly more than brackets and digits");
  return { numbers, members };
}

/** The offset after the closing quote of the string that opens at `open`, or the end if it does not close. */
export function endOfText(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isInNumber(text.charCodeAt(end))) end += 1;
  return end;
}

function isInNumber(code: number): boolean {
  return (
    isDigit(code) ||
    code === POINT ||
    code === PLUS ||
    code === MINUS ||
    (code | LOWER_CASE_BIT) === LOWER_CASE_E
  );
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

interface Placed {
  numbers: number;
  members: number;
  inTextOrder: boolean;
}

/**
 * Replaces the floats of JSON.parse, without reading them, by the digits in order of the text. An object with a
 * member named like an array index (`"7"`) breaks that order: ECMAScript moves such members to the front.
 */
function placeNumbers(holder: object, numbers: readonly string[], placed: Placed): void {
  if (Array.isArray(holder)) {
    for (let index = 0; index < holder.length; index += 1) {
      const element: unknown = holder[index];
      if (typeof element === "number") holder[index] = nextOf(numbers, placed);
      else if (typeof element === "object" && element !== null) placeNumbers(element, numbers, placed);
    }
    return;
  }
  const members = holder as Record<string, unknown>;
  let count = 0;
  for (const name in members) {
    count += 1;
    if (count === 1 && isDigit(name.charCodeAt(0))) placed.inTextOrder = false;
    if (count > MEMBERS_MAX) throw new RefusedJson(`an object of more than ${MEMBERS_MAX} members`);
    const member = members[name];
    if (typeof member === "number") members[name] = nextOf(numbers, placed);
    else if (typeof member === "object" && member !== null) placeNumbers(member, numbers, placed);
  }
  placed.members += count;
}

function nextOf(numbers: readonly string[], placed: Placed): string | undefined {
  const next = numbers[placed.numbers];
  placed.numbers += 1;
  return next;
}

/** A reviver that uses each value's source text: correct for any order and any names, but several times slower. */
function markedSource(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? `${NUMBER_MARK}${context?.source}` : value;
}
