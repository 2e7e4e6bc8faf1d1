/** Makes texts from outside safe for files that people and other programs open. */

/**
 * Replaces control characters, invisible characters and white space by single spaces. A backslash before a quote or at
 * the end becomes a slash: programs that take it for an escape (GnuCash, databases) would not see the cell's end.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim()
    .replace(/\\(?="|$)/g, "/");
}
