/**
 * Recognises the currencies and units that a text names beside amounts: 5 under "Payments in EUR" means 5 euros to a
 * reader of the sheet, and 5 under "all amounts in mBTC" means 0.005 BTC. Most codes count in capitals only, because pen,
 * mad and Ron are words; Satoshi is also a name, so it counts only where a unit is expected.
 */
import { cryptocurrencies, currencyShown } from "../money/index.ts";

/** The currency that a whole cell names: EUR for "EUR", "€" and "Euro". Called for every cell that is not read. */
export function currencyNamed(text: string): string | undefined {
  if (text.length > NAME_LENGTH_MAX) return undefined;
  const word = text.trim();
  if (CODES.has(word)) return word;
  const shown = currencyShown(word);
  return /^\p{Sc}$/u.test(word) || shown !== word.toUpperCase() ? shown : NAMES.get(word.toLowerCase());
}

/** Whether a whole cell names a unit other than a currency's own, such as "mBTC". */
export function isOtherUnit(text: string): boolean {
  return text.length <= NAME_LENGTH_MAX && WHOLE_UNIT.test(text);
}

/** Instead of a currency, for "mBTC" and "in thousands". */
export const OTHER_UNIT = "another unit";

/** The currency or unit in a heading, a note or the name of a sheet: "EUR", "Value in EUR", "May (€)", "mBTC". */
export function unitIn(text: string): string | undefined {
  const read = text.slice(0, NOTE_LENGTH_MAX);
  const whole = read.replace(AROUND, "");
  if (isOtherUnit(whole) || UNIT_IN_A_NOTE.test(read)) return OTHER_UNIT;
  const currency =
    currencyNamed(whole) ??
    read.match(WORDS)?.find((word) => CODES.has(word) || /\p{Sc}/u.test(word)) ??
    read.match(AFTER_IN)?.map(currencyNamed).find(Boolean);
  return currency && currencyShown(currency);
}

const NAME_LENGTH_MAX = 14;
const NOTE_LENGTH_MAX = 500;

/** Coins that are paid to addresses of the same form as Bitcoin's and Ethereum's. */
const OTHER_COINS = ["BCH", "BSV", "USDT", "USDC", "DAI", "BNB", "POL", "MATIC"];
/** Words, names, and the countries Switzerland and Sierra Leone. */
const LIKE_WORDS = "ALL AMD BAM BOB CHE COP CUP ERN GEL LAK MAD MOP PEN RON SLE SOS TOP TRY".split(" ");
const CODES: ReadonlySet<string> = new Set(
  [...cryptocurrencies, ...OTHER_COINS, ...Intl.supportedValuesOf("currency")].filter(
    (code) => !LIKE_WORDS.includes(code),
  ),
);

/** In any case: codes that are no words, and names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ..."BTC EUR USD GBP CHF JPY LTC ETH BCH USDT USDC WBTC"
    .split(" ")
    .map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries({ euro: "EUR", euros: "EUR", us$: "USD", "us dollars": "USD", tether: "USDT" }),
]);

/** Marks around a currency that stands alone: "(EUR)", "EUR:". */
const AROUND = /^[\s([]+|[\s)\]:]+$/g;
const WORDS = /\p{L}+|\p{Sc}/gu;
/** After "in" (English, German, Italian), "en" (French, Spanish), "em" (Portuguese) and "w" (Polish). */
const AFTER_IN = /(?<=(?<!\p{L})(?:in|en|em|w) )\p{L}+/giu;
const WHOLE_UNIT = /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|bits|litoshis|gwei)\s*$/i;
const UNIT_IN_A_NOTE =
  /(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|gwei|in (?:satoshi|sat|bits|wei|thousands?|millions?|tausend|migliaia|duizenden)|en (?:milliers|miles|milhares))(?![\p{L}\p{N}])/iu;
