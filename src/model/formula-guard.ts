/**
 * Protects texts that a spreadsheet program would run as a formula when it opens a CSV: a leading `'` keeps them
 * texts (OWASP, CSV injection). Also protects places within a text, because programs of other countries split lines
 * at other delimiters, and a cell then begins after a delimiter or line break. Both directions are here, so that
 * intake reads back exactly what an answer wrote.
 */

/**
 * Before a formula where a cell may begin, after any quotes and apostrophes. Guarding adds one `'` there, and
 * unguarding removes it.
 */
const FORMULA_BEGINS = /(?<=^|[;,\t\r\n])(?!-[\d.,]*-*(?:[;\t\r\n]|$))(["']*)(?=[=+\-@＝＋－＠])/g;

/**
 * Numbers in a CSV are texts too. A negative number is not a formula, and neither is a dash alone, as in `100,-`.
 */
export function guardFormula(text: string): string {
  return MAY_BEGIN_FORMULA.test(text) ? text.replace(FORMULA_BEGINS, "$1'") : text;
}

/** Matches every text that FORMULA_BEGINS matches, and few others: most cells need no more than this quick look. */
const MAY_BEGIN_FORMULA = /^["'=+\-@＝＋－＠]|[;,\t\r\n]/;

export function unguardFormula(text: string): string {
  return text.includes("'") ? text.replace(FORMULA_BEGINS, (marks) => marks.replace(/'$/, "")) : text;
}
