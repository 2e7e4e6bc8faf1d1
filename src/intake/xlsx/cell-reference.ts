/** The lines of A1 references. They are read for every cell of a sheet, so without regular expressions. */

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
