/**
 * Recognises words in columns of the sender's own that tell a reader whether to pay the row: "ON HOLD" under "Status",
 * "x" under "Do not pay". Only whole cells, since sentences may say such a word of anything.
 */
import { phrases, wordOf } from "../model/words.ts";

export type PayWord = "not-to-be-paid" | "paid";

/** Undefined for any other cell; called for every cell of columns that are not read. */
export function payWordOf(columnName: string, text: string): PayWord | undefined {
  if (text.length > CELL_LENGTH_MAX) return undefined;
  const word = wordOf(text);
  return PAY_WORDS.get(YES.has(word) ? wordOf(columnName) : word);
}

/** For a title or the name of a sheet, where a sentence speaks of the whole file: "DRAFT - do not pay". */
export function saysNotToPay(text: string): boolean {
  const isSentence = text.length <= TITLE_LENGTH_MAX && SENTENCE.test(text);
  return isSentence || payWordOf("", text) === "not-to-be-paid";
}

const TITLE_LENGTH_MAX = 1000;
const SENTENCE = /(?<!\p{L})(?:(?:do not|don['’]?t) pay|not (?:to be paid|for payment))(?!\p{L})/iu;

const CELL_LENGTH_MAX = 24;

const YES = new Set(phrases("yes, y, true, x, 1"));

const NOT_TO_BE_PAID = phrases(`
  do not pay, don't pay, dont pay, not to be paid, hold, on hold, payment on hold, payment hold, payment block,
  payment blocked, payment stop, payment stopped, cancelled, canceled, void, voided, disputed
`);

const PAID = phrases("paid, already paid, paid already, settled");

const PAY_WORDS: ReadonlyMap<string, PayWord> = new Map([
  ...NOT_TO_BE_PAID.map((text) => [wordOf(text), "not-to-be-paid"] as const),
  ...PAID.map((text) => [wordOf(text), "paid"] as const),
]);
