/**
 * Detects seed phrases in a text. English phrases are recognised by the word list of BIP-39, which Electrum shares.
 * Phrases of other lists are recognised only by their shape, which counts only where no sentence belongs.
 */
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** BIP-39: 12 to 24 words; Electrum adds 13, Monero 25, SLIP-39 20 and 33. */
const SEED_LENGTHS: ReadonlySet<number> = new Set([12, 13, 15, 18, 20, 21, 24, 25, 33]);
const SEED_LENGTH_MIN = 12;

/** The list's words, and their first four letters, as on steel plates and in hasty notes. */
const listed: ReadonlySet<string> = new Set(wordlist.flatMap((word) => [word, word.slice(0, 4)]));

/** Shorter texts have no room for twelve words. */
const SEED_TEXT_LENGTH_MIN = 47;

/**
 * Whether a text contains enough of the list's words side by side for a seed phrase, or consists of them except for
 * one mistyped word. Checksums are not verified: a phrase with one wrong word is only a few guesses away from its
 * key.
 */
export function holdsSeedPhrase(text: string): boolean {
  if (text.length < SEED_TEXT_LENGTH_MIN) return false;
  const words = wordsOf(text);
  if (words.length < SEED_LENGTH_MIN) return false;
  let run = 0;
  let strangers = 0;
  for (const word of words) {
    const isListed = listed.has(word);
    run = isListed ? run + 1 : 0;
    if (run === SEED_LENGTH_MIN) return true;
    if (!isListed) strangers += 1;
  }
  return strangers === 1 && SEED_LENGTHS.has(words.length);
}

const SHORT_WORDS = /^[\p{L}\p{M}]{1,9}$/u;
const SHAPED_TEXT_LENGTH_MAX = 500;

/** As in a UUID, whose letters are not words. */
const LETTER_BESIDE_DIGIT = /\p{L}\d|\d\p{L}/u;

/** Whether a text in place of an address consists of as many short words as a seed phrase in any language. */
export function hasSeedShape(text: string): boolean {
  // Twelve Japanese or Chinese words take fewer characters than twelve English ones.
  if (text.length < 2 * SEED_LENGTH_MIN - 1 || text.length > SHAPED_TEXT_LENGTH_MAX) return false;
  if (LETTER_BESIDE_DIGIT.test(text)) return false;
  const words = wordsOf(text);
  return SEED_LENGTHS.has(words.length) && words.every((word) => SHORT_WORDS.test(word));
}

/** The words in lower case, whatever separates them (commas, numbers). */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}
