/** Compares words of headers and labels without case, spaces and punctuation, and finds the closest known word. */
import { withCurrencyCodes } from "../money/index.ts";

const WORD_LENGTH_MAX = 240;
const MISSPELLING_EDITS_MAX = 2;
/** Shorter words too easily resemble another word. */
const MISSPELLING_LENGTH_MIN = 5;
const MISSPELLING_LENGTH_MAX = 60;

/**
 * Letters and digits without accents, so that "Requested Amount", "requested_amount" and "requestedAmount" are one
 * word. Signs that change the meaning of a number stay: "Amount (€)" is the word of "Amount EUR", and "Amount %"
 * differs from "Amount".
 */
export function wordOf(text: string): string {
  return (
    withCurrencyCodes(text.slice(0, WORD_LENGTH_MAX))
      .normalize("NFKD")
      .toLowerCase()
      // Letters that Unicode does not decompose; ALICI is the Turkish Alıcı in capitals.
      .replace(/[ıłøß]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
      .replace(/[^\p{L}\p{N}\p{Sc}%‰]/gu, "")
  );
}

const PLAIN_LETTERS: Readonly<Record<string, string>> = { ı: "i", ł: "l", ø: "o", ß: "ss" };

/** Splits a list at its commas. */
export function phrases(list: string): readonly string[] {
  return list.split(",").map((phrase) => phrase.trim());
}

/** The first known word that `word` may be a misspelling of; all words as returned by `wordOf`. */
function closestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length < MISSPELLING_LENGTH_MIN || word.length > MISSPELLING_LENGTH_MAX) return undefined;
  for (const candidate of known) {
    const isClose = Math.abs(candidate.length - word.length) <= MISSPELLING_EDITS_MAX;
    if (
      isClose &&
      candidate.length >= MISSPELLING_LENGTH_MIN &&
      edits(word, candidate) <= MISSPELLING_EDITS_MAX
    )
      return candidate;
  }
  return undefined;
}

/** " (did you mean `NORMAL`?)", to follow a list of allowed values; empty if none is close. */
export function suggestion(text: string, allowed: readonly string[]): string {
  const byWord = new Map(allowed.map((word) => [wordOf(word), word]));
  const meant = byWord.get(closestWord(wordOf(text), byWord.keys()) ?? "");
  return meant === undefined ? "" : ` (did you mean \`${meant}\`?)`;
}

/** Levenshtein's distance: the number of letters to insert, delete or replace. */
function edits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (previous[at] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[at + 1] ?? 0) + 1, (current[at] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
