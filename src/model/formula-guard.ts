/**
 * Texts that a spreadsheet program would take for a formula when it opens a CSV: a leading `'` makes them texts again
 * (OWASP, CSV injection). Both directions stand here, so that intake reads back exactly what an answer wrote.
 */

/** A text that already has such a `'` gets one more, and loses it again. */
const STARTS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

const IS_GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** A CSV does not tell numbers from texts, and a negative number is no formula. */
const NEGATIVE_NUMBER = /^-\d[\d.,]*$/;

export function guardFormula(text: string): string {
  return STARTS_FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && IS_GUARDED.test(text) ? text.slice(1) : text;
}

const APOSTROPHE = 39;
