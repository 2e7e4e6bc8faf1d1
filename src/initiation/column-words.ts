/** What the names of columns mean: to everybody, and to one sender. */
import { isAnswerColumn } from "../model/answer-columns.ts";
import { applying } from "../model/applying.ts";
import { type ColumnMeanings, type ColumnName, payoutColumns } from "../model/columns.ts";
import { closestWord, phrases, wordOf } from "../model/words.ts";
import { cryptocurrencies, isFiat } from "../money/index.ts";
import { isAboutPaying } from "./pay-words.ts";

interface ColumnMeaning {
  readonly name?: ColumnName | undefined;
  readonly currency?: string;
}

export class ColumnWords {
  /** Undefined for a column that the configuration excludes, whatever its name looks like. */
  private readonly byWord: ReadonlyMap<string, ColumnName | undefined>;

  /** `columns`: the sender's own headers. */
  constructor(columns: ColumnMeanings) {
    const own = Object.entries(columns).map(
      ([text, meaning]) => [wordOf(text), meaning === "ignore" ? undefined : meaning] as const,
    );
    this.byWord = own.length === 0 ? BUILT_IN_WORDS : new Map([...BUILT_IN_WORDS, ...own]);
  }

  /** For "Amount (BTC)", "BTC amount", "amount in BTC" and "Amount ₿" also the currency. */
  meaningOf(text: string): ColumnMeaning {
    const word = wordOf(text);
    if (this.byWord.has(word)) return { name: this.byWord.get(word) };
    const currency = currencyBeside(word, (rest) => this.byWord.get(rest) === "amount");
    return currency === undefined ? {} : { name: "amount", currency };
  }

  /** Whether a column says nothing about the row: the configuration excludes it, or an answer of ours added it. */
  isIgnored(text: string): boolean {
    const word = wordOf(text);
    return (this.byWord.has(word) && this.byWord.get(word) === undefined) || isAnswerColumn(text);
  }

  /** The column of whose name this one, which is not read, is perhaps a misspelling. */
  meantBy(text: string): ColumnName | undefined {
    const word = wordOf(text);
    return isInAnotherUnit(text, word) || isAboutPaying(text)
      ? undefined
      : this.byWord.get(closestWord(word, this.byWord.keys()) ?? "");
  }

  /** The column from which nobody could tell this one: the same word with letters of another alphabet. */
  looksLike(text: string): ColumnName | undefined {
    const word = wordOf(text);
    if (!OTHER_ALPHABETS.test(word)) return undefined;
    const shownAs = [word, ...cryptocurrencies.flatMap((code) => besideCurrency(word, code))];
    return [...this.byWord].find(([known]) => shownAs.some((each) => isSeenAs(each, known)))?.[1];
  }
}

const BUILT_IN_WORDS: ReadonlyMap<string, ColumnName> = new Map(
  payoutColumns.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((text) => [wordOf(text), name] as const),
  ),
);

/** The cryptocurrency before or behind a word that `isIt`. */
export function currencyBeside(word: string, isIt: (rest: string) => boolean): string | undefined {
  return cryptocurrencies.find((code) => besideCurrency(word, code).some(isIt));
}

/** What stands before or behind a currency's code in a word. */
function besideCurrency(word: string, code: string): string[] {
  const small = code.toLowerCase();
  return applying(
    word.startsWith(small) && word.slice(small.length),
    word.endsWith(small) && word.slice(0, -small.length).replace(/in$/, ""),
  );
}

function isSeenAs(word: string, known: string): boolean {
  const letters = [...word];
  return (
    letters.length === known.length &&
    letters.every((letter, at) => letter === known[at] || SEEN_AS.get(known[at] ?? "")?.includes(letter))
  );
}

/** The alphabets that share forms with ours. */
const OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Per Latin letter the letters of those alphabets that look like it, small or capital. */
const SEEN_AS: ReadonlyMap<string, string> = new Map(
  phrases(`
    aаαᎪ, bвьβᏏ, cсςϲᏟ, dԁժᎠ, eеёєεᎬ, fғϝ, gԍցᏀ, hнһηհᎻ, iіїӏι, jјϳᎫ, kкκᏦ, lӏιլᏞ, mмμᎷ, nпηνոռ,
    oоοσօ, pрρᏢ, qԛգզ, rгᎡᏒ, sѕտᏚ, tтτᎢ, uцυμս, vѵνᏙ, wшԝωաᎳ, xхχ, yуүγυᎩ, zζᏃ
  `).map((seen) => [seen.charAt(0), seen.toLowerCase()]),
);

/** "Amount (EUR)" is no misspelling of "Amount due", nor "Amount (k)" of "Amount", and must not be renamed to it. */
function isInAnotherUnit(text: string, word: string): boolean {
  if (/[([]/.test(text)) return true;
  const ends = [word.slice(0, 3), word.slice(-3)];
  return /[\p{Sc}%‰]/u.test(word) || ends.some((code) => isFiat(code.toUpperCase()));
}
