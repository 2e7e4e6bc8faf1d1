/**
 * Seed phrases in a text. In English they are held to the word list of BIP-39, which Electrum's phrases share; phrases of
 * other lists are known by their shape alone, which is evidence only where no sentence belongs.
 */
import { seedWords } from "./seed-words.ts";

/** BIP-39: 12 to 24 words; Electrum adds 13, Monero 25, SLIP-39 20 and 33. */
const SEED_LENGTHS: ReadonlySet<number> = new Set([12, 13, 15, 18, 20, 21, 24, 25, 33]);
const SEED_LENGTH_MIN = 12;

/** The list's words, and their first four letters, by which steel plates and hurried people write them. */
const listed: ReadonlySet<string> = new Set(seedWords.flatMap((word) => [word, word.slice(0, 4)]));

/** Below it there is no room for twelve words. */
const SEED_TEXT_LENGTH_MIN = 47;

/**
 * Whether so many of the list's words stand side by side as a seed phrase has at least, or make up the whole text but for one
 * that is mistyped. Checksums are not asked for: a phrase with a word out of place is a few tries away from its key.
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

/** As in a UUID, whose letters are no words. */
const LETTER_BESIDE_DIGIT = /\p{L}\d|\d\p{L}/u;

/** Whether a text that should be an address has nothing but as many short words as a phrase of any language's list. */
export function hasSeedShape(text: string): boolean {
  // Twelve Japanese or Chinese words need fewer characters than twelve English ones.
  if (text.length < 2 * SEED_LENGTH_MIN - 1 || text.length > SHAPED_TEXT_LENGTH_MAX) return false;
  if (LETTER_BESIDE_DIGIT.test(text)) return false;
  const words = wordsOf(text);
  return SEED_LENGTHS.has(words.length) && words.every((word) => SHORT_WORDS.test(word));
}

/** In small letters, whatever stands between them (commas, numbers). */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
}
