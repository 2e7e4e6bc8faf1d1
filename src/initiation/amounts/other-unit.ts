/**
 * Recognises texts that give the amounts another unit than the currency itself, or another currency: 5 under "all
 * amounts in mBTC" means 0.005 BTC to a reader of the sheet, and 5 beside "EUR" means 5 euros. Ambiguous words are
 * ignored: Satoshi and Wei are also names, Sat is a day.
 */
import { cryptocurrencies, currencyShown } from "../../money/index.ts";

/** For a title, a note or the name of a sheet. */
export function namesOtherUnit(text: string): boolean {
  return text.length <= NOTE_LENGTH_MAX && IN_A_NOTE.test(text);
}

/** For a whole cell beside an amount; called for every cell of columns that are not read. */
export function isOtherUnit(text: string): boolean {
  return text.length <= UNIT_LENGTH_MAX && UNIT.test(text);
}

const NOTE_LENGTH_MAX = 1000;
const UNIT_LENGTH_MAX = 12;
const IN_A_NOTE =
  /(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)(?![\p{L}\p{N}])|in (?:satoshis?|sats|litoshis?|gwei|wei|thousands?|millions?)(?!\p{L}))/iu;
const UNIT = /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|litoshis|gwei)\s*$/i;

/** The currency that a whole cell names: EUR for "EUR", "\u20ac" and "Euro". Codes count in capitals only: pen and mad are words. */
export function currencyNamed(text: string): string | undefined {
  if (text.length > UNIT_LENGTH_MAX) return undefined;
  const word = text.trim();
  if (CURRENCIES.has(word)) return word;
  return SIGN.test(word) ? currencyShown(word) : CURRENCY_WORDS.get(word.toLowerCase());
}

/** The currency in a title, a note or the name of a sheet: "EUR", "Payments in EUR", "Currency: EUR", "May (EUR)". */
export function currencyInNote(text: string): string | undefined {
  if (text.length > NOTE_LENGTH_MAX) return undefined;
  const words = [text, ...(text.match(CURRENCY_PLACE) ?? [])];
  return words.map(currencyNamed).find((each) => each !== undefined);
}

const SIGN = /^\p{Sc}$/u;
/** Coins that are paid to addresses of the same form as Bitcoin's and Ethereum's. */
const OTHER_COINS = ["BCH", "BSV", "USDT", "USDC", "DAI", "BNB", "POL", "MATIC"];
const CODES_LIKE_WORDS = new Set(["ALL", "AMD", "BOB", "SOS", "TOP"]);
const CURRENCIES = new Set(
  [...cryptocurrencies, ...OTHER_COINS, ...Intl.supportedValuesOf("currency")].filter(
    (code) => !CODES_LIKE_WORDS.has(code),
  ),
);
const CURRENCY_WORDS: ReadonlyMap<string, string> = new Map([
  ["eur", "EUR"],
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["usd", "USD"],
  ["us$", "USD"],
  ["gbp", "GBP"],
]);
/** Behind "in" (English, German, Italian), "en" (French, Spanish) and "em" (Portuguese), or at the end behind a mark. */
const CURRENCY_PLACE =
  /(?<=(?<!\p{L})(?:in|en|em) )[\p{L}\p{Sc}]+|(?<=[:=(]\s*)[\p{L}\p{Sc}]+(?=\s*\)?\s*$)/giu;
