/** A1 references of cells. They are read for every cell of a sheet, so without regular expressions. */

/** The column, from 0; undefined if it begins with none. */
export function columnOf(reference: string): number | undefined {
  let column = 0;
  let index = 0;
  for (; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) - LETTER_BEFORE_A;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return index === 0 || index > COLUMN_LETTERS_MAX ? undefined : column - 1;
}

/** Whether this line, as digits, is the one of the reference. */
export function isOnLine(reference: string, line: string): boolean {
  if (!reference.endsWith(line)) return false;
  const before = reference.charCodeAt(reference.length - line.length - 1);
  return before > LETTER_BEFORE_A && before <= LETTER_BEFORE_A + 26;
}

/** The line, from 1; NaN if it ends with none. */
export function lineOf(reference: string): number {
  return Number.parseInt(reference.replace(/^[A-Z]+/, ""), 10);
}

const LETTER_BEFORE_A = 64;
const COLUMN_LETTERS_MAX = 3;
