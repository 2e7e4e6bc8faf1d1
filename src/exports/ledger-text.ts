/** Texts from outside (references, memos, ids of the service) made harmless for one cell or one line of a ledger file. */

/** One line: control and invisible characters and any white space become single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}

/** One line for a CSV text column; what a spreadsheet program would take for a formula begins with `'` (OWASP, CSV injection). */
export function textCell(text: string | undefined): string {
  const line = oneLine(text ?? "");
  return /^'*[=+\-@]/.test(line) ? `'${line}` : line;
}
