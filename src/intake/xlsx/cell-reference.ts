/** Parses the lines of A1 references; without regular expressions, because every cell has one. */

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
