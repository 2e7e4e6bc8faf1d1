/** Where the quotes of a CSV record break the format. Walks the text the way csv-parse does; used on broken records only. */

export interface BrokenQuote {
  /** From the start of the record to the end of the line on which the quote stands. */
  readonly textToLineEnd: string;
  /** In that text: the quote that opened the cell, or the one that stands where none may. */
  readonly offset: number;
  readonly reason: string;
}

/**
 * The first broken quote in UTF-8 that begins at the start of a record; or that there is none, or that more bytes are
 * needed to see the end of its line. `isLast`: no more bytes will come.
 */
export function findBrokenQuote(
  bytes: Buffer,
  delimiter: string,
  isLast: boolean,
): BrokenQuote | "none" | "line goes on" {
  // Most breaks show in the first line; to decode all bytes at each of many breaks would take quadratic time.
  for (let length = FIRST_LOOK_BYTES; ; length *= LOOK_FURTHER) {
    const isAll = length >= bytes.length;
    const text = bytes.subarray(0, length).toString();
    const quote = locateBrokenQuote(text, delimiter);
    const end = quote === undefined ? undefined : endOfLine(text, quote.offset, isAll && isLast);
    if (quote !== undefined && end !== undefined && (quote.reason !== NEVER_CLOSED || isAll)) {
      return { textToLineEnd: text.slice(0, end), offset: quote.offset, reason: quote.reason };
    }
    if (isAll) return quote === undefined ? "none" : "line goes on";
  }
}

/** CRLF, LF and CR each count as one. */
export function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

const FIRST_LOOK_BYTES = 4096;
const LOOK_FURTHER = 8;
const NEVER_CLOSED = "a quote is opened and never closed";

function locateBrokenQuote(
  text: string,
  delimiter: string,
): { readonly offset: number; readonly reason: string } | undefined {
  let isCellStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') {
      if (!isCellStart) return { offset: index, reason: "a quote stands inside a cell that is not quoted" };
      const close = endOfQuotes(text, index);
      if (close === undefined) return { offset: index, reason: NEVER_CLOSED };
      const next = text.charAt(close + 1);
      if (next !== "" && next !== delimiter && !isLineBreak(next)) {
        return {
          offset: index,
          reason: "a quoted cell goes on behind its closing quote, or was never closed",
        };
      }
      index = close;
      isCellStart = false;
    } else {
      isCellStart = character === delimiter || isLineBreak(character);
    }
  }
  return undefined;
}

/** Where the line of `offset` ends, its line break included; undefined while the text ends before the line does. */
function endOfLine(text: string, offset: number, isLast: boolean): number | undefined {
  const found = /\r\n|\n|\r/g;
  found.lastIndex = offset;
  const lineBreak = found.exec(text);
  if (lineBreak === null) return isLast ? text.length : undefined;
  const end = lineBreak.index + lineBreak[0].length;
  // A carriage return at the very end may be the first half of a CRLF.
  return end === text.length && lineBreak[0] === "\r" && !isLast ? undefined : end;
}

/** The closing quote of the cell that opens at `open`; a doubled quote stands for one. */
function endOfQuotes(text: string, open: number): number | undefined {
  for (let index = open + 1; ; index += 1) {
    index = text.indexOf('"', index);
    if (index < 0) return undefined;
    if (text.charAt(index + 1) !== '"') return index;
    index += 1;
  }
}

function isLineBreak(character: string): boolean {
  return character === "\n" || character === "\r";
}
