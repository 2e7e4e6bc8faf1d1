/**
 * Protects texts that a spreadsheet program would run as a formula when it opens a CSV: a `'` before it keeps them
 * texts (OWASP, CSV injection). Also within a text: programs of other countries divide lines at other marks than
 * the file does, and what follows such a mark or a line break then begins a cell. Both directions are here, so that
 * intake reads back exactly what an answer wrote.
 */

/** Before a formula where a cell may begin, behind any marks of quotation: they get one `'` more, and lose it again. */
const FORMULA_BEGINS = /(?<=^|[;,\t\r\n])(?!-[\d.,]*-*(?:[;\t\r\n]|$))(["']*)(?=[=+\-@＝＋－＠])/g;

/** In CSV numbers are texts too, and neither a negative number nor a dash alone, as in `100,-`, is a formula. */
export function guardFormula(text: string): string {
  return text.replace(FORMULA_BEGINS, "$1'");
}

export function unguardFormula(text: string): string {
  return text.includes("'") ? text.replace(FORMULA_BEGINS, (marks) => marks.replace(/'$/, "")) : text;
}
