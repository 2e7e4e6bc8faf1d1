/**
 * Recognises the currency that a text names beside amounts: 5 under "Payments in EUR" means 5 euros to a reader of the
 * sheet. Most codes count in capitals only, because pen, mad and Ron are words.
 */
import { cryptocurrencies, currencyShown } from "../../money/index.ts";

/** For a whole cell: EUR for "EUR", "€" and "Euro". Called for every cell of columns that are not read. */
export function currencyNamed(text: string): string | undefined {
  if (text.length > NAME_LENGTH_MAX) return undefined;
  const word = text.trim();
  if (CODES.has(word)) return word;
  const shown = currencyShown(word);
  const isSignOrName = SIGN.test(word) || shown !== word.toUpperCase();
  return isSignOrName ? shown : NAMES.get(word.toLowerCase());
}

/**
 * For a title, a note or the name of a sheet: "EUR", "Payments in EUR", "Currency: EUR", "May (EUR)". `next`: the text of
 * the cell behind it; in "Value in EUR:" before "13,500" the currency is that figure's.
 */
export function currencyInNote(text: string, next = ""): string | undefined {
  if (text.length > NOTE_LENGTH_MAX) return undefined;
  const inCurrency = `${text} ${next.slice(0, NAME_LENGTH_MAX)}`.match(IN_CURRENCY) ?? [];
  const words = [text.replace(AROUND, ""), ...inCurrency, ...(text.match(AT_THE_END) ?? [])];
  return words.map(currencyNamed).find((each) => each !== undefined);
}

const NAME_LENGTH_MAX = 12;
/** Matching takes quadratic time. */
const NOTE_LENGTH_MAX = 120;

/** Coins that are paid to addresses of the same form as Bitcoin's and Ethereum's. */
const OTHER_COINS = ["BCH", "BSV", "USDT", "USDC", "DAI", "BNB", "POL", "MATIC"];
const CODES_LIKE_WORDS = new Set(["ALL", "AMD", "BOB", "SOS", "TOP"]);
const CODES = new Set(
  [...cryptocurrencies, ...OTHER_COINS, ...Intl.supportedValuesOf("currency")].filter(
    (code) => !CODES_LIKE_WORDS.has(code),
  ),
);
const SIGN = /^\p{Sc}$/u;

/** In any case: codes that are no words, and names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...["EUR", "USD", "GBP", "CHF", "JPY", "LTC", "ETH", "BCH", "USDT", "USDC"].map(
    (code) => [code.toLowerCase(), code] as const,
  ),
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["us$", "USD"],
  ["us dollar", "USD"],
  ["us dollars", "USD"],
  ["tether", "USDT"],
  ["wbtc", "WBTC"],
  ["bitcoin cash", "BCH"],
]);

/** Marks around a currency that stands alone: "(EUR)", "EUR:". */
const AROUND = /^[\s([]+|[\s)\]:]+$/g;
/** Behind "in" (English, German, Italian), "en" (French, Spanish) and "em" (Portuguese), if no figure follows. */
const IN_CURRENCY = /(?<=(?<!\p{L})(?:in|en|em) )[\p{L}\p{Sc}]+(?![\p{L}\p{Sc}])(?!\s*[:=]?\s*\d)/giu;
const AT_THE_END = /(?<=[:=(]\s*)[\p{L}\p{Sc}]+(?=\s*\)?\s*$)/gu;
