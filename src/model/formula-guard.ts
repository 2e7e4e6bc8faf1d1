/**
 * Protects texts that a spreadsheet program would run as a formula when it opens a CSV: a leading `'` keeps them texts
 * (OWASP, CSV injection). Both directions are here, so that intake reads back exactly what an answer wrote.
 */

/** Includes texts that already have such a `'`: they get one more, and lose it again. */
const STARTS_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

const IS_GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** In CSV numbers are texts too, and a negative number is not a formula. */
const NEGATIVE_NUMBER = /^-\d[\d.,]*$/;

export function guardFormula(text: string): string {
  return STARTS_FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && IS_GUARDED.test(text) ? text.slice(1) : text;
}

/** 0123 for `="0123"`, a formula of a text alone, by which many programs keep Excel from making a number of it. */
export function forcedText(text: string): string | undefined {
  return text.charCodeAt(0) === EQUALS_SIGN ? /^="([^"\r\n]*)"$/.exec(text)?.[1] : undefined;
}

const APOSTROPHE = 39;
const EQUALS_SIGN = 61;
