/** Where the quotes of a CSV record break the format. Walks the text the way csv-parse does; used on broken records only. */

export interface BrokenQuote {
  /** In the text: the quote that opened the cell, or the one that stands where none may. */
  readonly offset: number;
  readonly reason: string;
}

/** The first broken quote of a text that begins at the start of a record; undefined if its quotes are in order. */
export function locateBrokenQuote(text: string, delimiter: string): BrokenQuote | undefined {
  let isCellStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') {
      if (!isCellStart) return { offset: index, reason: "a quote stands inside a cell that is not quoted" };
      const close = endOfQuotes(text, index);
      if (close === undefined) return { offset: index, reason: "a quote is opened and never closed" };
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
export function endOfLine(text: string, offset: number, isLast: boolean): number | undefined {
  const found = /\r\n|\n|\r/g;
  found.lastIndex = offset;
  const lineBreak = found.exec(text);
  if (lineBreak === null) return isLast ? text.length : undefined;
  const end = lineBreak.index + lineBreak[0].length;
  // A carriage return at the very end may be the first half of a CRLF.
  return end === text.length && lineBreak[0] === "\r" && !isLast ? undefined : end;
}

/** CRLF, LF and CR each count as one. */
export function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
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
