/** A1 references of a sheet: the letters of a column and the number of a line. */

/** The letters of an XLSX column: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? columnLetters(rest - 1) : "") + String.fromCharCode(65 + (index % 26));
}

/**
 * Column of an A1 reference, from 0; undefined without one. Avoids a regular expression, because every cell has a
 * reference.
 */
export function columnIndex(reference: string): number | undefined {
  let column = 0;
  let letters = 0;
  for (; letters < reference.length; letters += 1) {
    const letter = reference.charCodeAt(letters) - LETTER_BEFORE_A;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return letters === 0 || letters > COLUMN_LETTERS_MAX ? undefined : column - 1;
}

/** Whether the reference is on this line, given as digits. */
export function isOnLine(reference: string, line: string): boolean {
  if (!reference.endsWith(line)) return false;
  const before = reference.charCodeAt(reference.length - line.length - 1);
  return before > LETTER_BEFORE_A && before <= LETTER_BEFORE_A + 26;
}

/** The line of the reference, from 1; NaN if it has none. */
export function lineOf(reference: string): number {
  return Number.parseInt(reference.replace(/^[A-Z]+/, ""), 10);
}

const LETTER_BEFORE_A = 64;
const COLUMN_LETTERS_MAX = 3;
