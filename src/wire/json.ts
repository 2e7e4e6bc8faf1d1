/**
 * JSON with exact numbers. Reading keeps every number as the digits that were sent, writing emits decimals and int64
 * values as plain number literals, so that nothing on the wire ever passes through a binary float.
 *
 * A number is read as its digits behind NUMBER_MARK: `{"a":0.10}` becomes `{ a: "\u00000.10" }`. The mark keeps a number
 * apart from a text of the same digits; `primitives.ts` takes it off. A text that begins with the mark is refused.
 */
import { Decimal } from "../money/index.ts";

export const NUMBER_MARK = "\u0000";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** JSON has no other way to write NUL: its escapes have a lower-case `u`. */
const ESCAPED_MARK = "\\u0000";
const COLON_NEXT = /[ \t\n\r]*:/y;
const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** Parses JSON text, numbers as marked digits. Throws a SyntaxError for anything that is not strict JSON. */
export function parseJson(text: string): unknown {
  return JSON.parse(quoteNumbers(text));
}

/** Writes a value as JSON. Decimals and bigints become number literals; undefined members are left out. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, exactNumbers);
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

function quoteNumbers(text: string): string {
  let quoted = "";
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (text.startsWith(ESCAPED_MARK, at + 1)) throw new SyntaxError("a text begins with a NUL character");
      at = endOfText(text, at);
    } else if (code === MINUS || (code >= DIGIT_0 && code <= DIGIT_9)) {
      NUMBER.lastIndex = at;
      if (!NUMBER.test(text)) throw new SyntaxError(`not a JSON number at offset ${at}`);
      quoted += `${text.slice(copied, at)}"\\u0000${text.slice(at, NUMBER.lastIndex)}"`;
      at = NUMBER.lastIndex;
      copied = at;
      // Quoted, it would pass for a member's name.
      COLON_NEXT.lastIndex = at;
      if (COLON_NEXT.test(text)) throw new SyntaxError(`a number as a name at offset ${at}`);
    } else {
      at += 1;
    }
  }
  return quoted + text.slice(copied);
}

/** The offset behind the closing quote of the text that opens at `open`. */
function endOfText(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  if (close === -1) throw new SyntaxError("a text does not end");
  return close + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
