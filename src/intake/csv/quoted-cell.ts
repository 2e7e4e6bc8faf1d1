/** Finds quoted cells and line ends in CSV text of which only the beginning may have been read. */

export interface QuotedCell {
  /** Without its quotes; doubled quotes are replaced by single ones. */
  readonly text: string;
  /** Offset after the closing quote. */
  readonly end: number;
  readonly lineBreaks: number;
}

/** The cell whose quote opens at `open`; undefined if it is not closed yet. `isLast`: no more text will come. */
export function quotedCellAt(text: string, open: number, isLast: boolean): QuotedCell | undefined {
  const close = closingQuote(text, open, isLast);
  if (close === undefined) return undefined;
  const inside = text.slice(open + 1, close);
  return { text: inside.replaceAll('""', '"'), end: close + 1, lineBreaks: countLineBreaks(inside) };
}

/** Offset of the next line; undefined if the text ends first (a CR at its end may be half of a CRLF). */
export function endOfLine(text: string, offset: number, isLast: boolean): number | undefined {
  LINE_BREAK.lastIndex = offset;
  const found = LINE_BREAK.exec(text);
  if (found === null) return isLast ? text.length : undefined;
  const end = LINE_BREAK.lastIndex;
  return end === text.length && found[0] === "\r" && !isLast ? undefined : end;
}

/** Counts CRLF, LF and CR as one each. */
export function countLineBreaks(text: string): number {
  return text.match(LINE_BREAK)?.length ?? 0;
}

const LINE_BREAK = /\r\n|\n|\r/g;

function closingQuote(text: string, open: number, isLast: boolean): number | undefined {
  for (let index = open + 1; ; index += 1) {
    index = text.indexOf('"', index);
    if (index < 0) return undefined;
    // The last quote may be the first half of a doubled one.
    if (index + 1 === text.length && !isLast) return undefined;
    if (text.charAt(index + 1) !== '"') return index;
    index += 1;
  }
}
