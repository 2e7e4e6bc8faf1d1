/** Makes texts from outside safe for files that people open: invisible characters can make a file unreadable. */

/** Replaces control characters, invisible characters and white space by single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}
