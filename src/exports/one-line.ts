/**
 * Makes texts from outside safe for files that people open: an invisible character can make a file unreadable for
 * programs.
 */

/** Replaces control characters, invisible characters and white space by single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}
