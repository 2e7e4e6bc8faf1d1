/** Recognises yes and no, in ten languages, with the truth values that spreadsheet programs write in each of them. */
import { phrases, wordOf } from "../model/words.ts";

/** Undefined for any other text. Case and punctuation do not matter. */
export function yesOrNo(text: string): boolean | undefined {
  return WORDS.get(wordOf(text));
}

const YES = phrases(`
  yes, y, true, x, 1, ja, j, wahr, oui, vrai, sí, si, verdadero, vero, sim, verdadeiro, waar, tak, prawda, evet, doğru,
  はい
`);
const NO = phrases(`
  no, n, false, 0, nein, falsch, non, faux, falso, não, nao, nee, onwaar, nie, fałsz, hayır, yanlış, いいえ
`);

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...YES.map((text) => [wordOf(text), true] as const),
  ...NO.map((text) => [wordOf(text), false] as const),
]);
