/**
 * Recognises the currencies and units that a text names beside amounts: 5 under "Payments in EUR" means 5 euros to
 * a reader of the sheet, and 5 under "all amounts in mBTC" means 0.005 BTC. In running text most codes count in
 * capitals only, because pen, mad and Ron are words; Satoshi is also a name, so it counts only where a unit is
 * expected.
 */
import { cryptocurrencies, currencyShown, withCurrencyCodes } from "../../money/index.ts";

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

/** Stands for a unit such as "mBTC" or "in thousands", in place of a currency. */
export const OTHER_UNIT = "another unit";

/** The currency or unit in a note, or in the heading of a column that is not read: "EUR", "Value in EUR", "mBTC". */
export function unitInNote(text: string): string | undefined {
  const read = text.slice(0, NOTE_LENGTH_MAX);
  const whole = read.replace(AROUND, "");
  if (isOtherUnit(whole) || UNIT_IN_A_NOTE.test(read)) return OTHER_UNIT;
  const currency =
    currencyNamed(whole) ??
    read.match(CODE_IN_BRACKETS)?.find((word) => ALL_CODES.has(word)) ??
    read.match(WORDS)?.find((word) => CODES.has(word) || /\p{Sc}/u.test(word)) ??
    read.match(AFTER_IN)?.map(currencyNamed).find(Boolean);
  return currency && currencyShown(currency);
}

/** All currencies that a title, or the name of a sheet or file, contains, and whether it names another unit. */
export function unitsInTitle(text: string): Pick<NamedUnits, "currencies" | "hasOtherUnit"> {
  const read = OTHER_BITCOINS.reduce(
    (titled, [name, code]) => titled.replace(name, code),
    text.slice(0, NOTE_LENGTH_MAX).replaceAll("_", " "),
  );
  const words = [
    ...(read.match(WORDS) ?? []).flatMap((word) => currencyNamed(word) ?? []),
    ...(read.match(CODE_IN_BRACKETS) ?? []),
  ];
  const whole = unitInNote(read);
  const currencies = new Set(
    words.filter((word) => ALL_CODES.has(word) || /\p{Sc}/u.test(word)).map(currencyShown),
  );
  if (whole !== undefined && whole !== OTHER_UNIT) currencies.add(whole);
  return { currencies, hasOtherUnit: whole === OTHER_UNIT || UNIT_IN_A_NAME.test(read) };
}

/** The names in the heading of amounts. */
export interface NamedUnits {
  /** Codes and signs, as codes where that is known. */
  readonly currencies: ReadonlySet<string>;
  /** `sat`, `mBTC`, `x1000`, `in thousands`: the numbers are not whole coins. */
  readonly hasOtherUnit: boolean;
  /** The heading without them: "Amount" for "Amount (TRY)". */
  readonly rest: string;
}

/**
 * The currencies and units that the heading of a column of amounts names. Codes that are also words count in
 * capitals, in brackets and at the end.
 */
export function unitsInHeading(heading: string): NamedUnits {
  const currencies = new Set<string>();
  let hasOtherUnit = false;
  const whole = heading.slice(0, NOTE_LENGTH_MAX);
  const withoutUnits = whole.replace(UNITS_IN_HEADING, () => {
    hasOtherUnit = true;
    return " ";
  });
  const text = withCurrencyCodes(withoutUnits).replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, " ");
  const bracketed = new Set(text.match(IN_BRACKETS)?.map((word) => word.toLowerCase()));
  const tokens = text.match(/[\p{L}\p{M}]+\$?|\p{Sc}|\p{N}+/gu) ?? [];
  const rest = tokens.filter((token, at) => {
    const isMarked = at === tokens.length - 1 || bracketed.has(token.toLowerCase());
    const currency = /\p{Sc}/u.test(token)
      ? token
      : (currencyNamed(token) ?? (isMarked || ALL_CODES.has(token) ? codeNamed(token) : undefined));
    if (currency !== undefined) currencies.add(currencyShown(currency));
    else if (isMarked && tokens.length > 1 && /^(?:k|t|m)$/i.test(token)) hasOtherUnit = true;
    else return true;
    return false;
  });
  return { currencies, hasOtherUnit, rest: rest.filter((word) => !PREPOSITION.test(word)).join(" ") };
}

/** The coin, if one is named alone, without another currency or unit. */
export function onlyCoin({
  currencies,
  hasOtherUnit,
}: Pick<NamedUnits, "currencies" | "hasOtherUnit">): string | undefined {
  const [only, another] = currencies;
  const isCoin = only !== undefined && another === undefined && cryptocurrencies.includes(only);
  return isCoin && !hasOtherUnit ? only : undefined;
}

/** A currency's code in any case, even if it is also a word. */
function codeNamed(word: string): string | undefined {
  const code = word.toUpperCase();
  return ALL_CODES.has(code) ? code : currencyNamed(word);
}

const NAME_LENGTH_MAX = 14;
const NOTE_LENGTH_MAX = 500;

/** Coins that Paydrop does not pay. Some have addresses of the same form as Bitcoin's or Ethereum's. */
const OTHER_COINS = (
  "BCH BSV BTG WBTC CBBTC TBTC RBTC LBTC BTCB WETH STETH USDT USDC DAI " +
  "BUSD FDUSD PYUSD EURC EURT BNB POL MATIC XRP XMR DOGE TRX AVAX XLM ZEC"
).split(" ");
/** Their old addresses are Bitcoin's. */
const OTHER_BITCOINS = [
  [/bitcoin[ -]?cash/gi, "BCH"],
  [/bitcoin[ -]?(?:sv|satoshi vision)(?!\p{L})/giu, "BSV"],
] as const;
/** Words, names, and the countries Switzerland and Sierra Leone. */
const LIKE_WORDS = (
  "ALL AMD BAM BOB CHE COP CUP ERN GEL LAK MAD MOP PEN RON SLE SOS TOP TRY ANG DOP GIP MUR NIO STD SUR VES " +
  "SOL ADA DOT LINK DASH TON ETC"
).split(" ");
/** Every currency and coin that a text may name, including those that are also words. */
export const ALL_CODES: ReadonlySet<string> = new Set([
  ...cryptocurrencies,
  ...OTHER_COINS,
  ...LIKE_WORDS,
  ...Intl.supportedValuesOf("currency"),
]);
const CODES: ReadonlySet<string> = new Set([...ALL_CODES].filter((code) => !LIKE_WORDS.includes(code)));

/** Recognised in any case: codes that are not words, and names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ..."BTC EUR USD GBP CHF JPY LTC ETH BCH USDT USDC WBTC AUD NOK SEK DKK PLN CZK HUF CNY BRL MXN ZAR RUB UAH INR"
    .split(" ")
    .map((code) => [code.toLowerCase(), code] as const),
  ...Object.entries({
    EUR: "euro euros eur евро",
    USD: "us$ dollar dollars dollari dólar dólares доллар доллары долл",
    GBP: "sterling pounds pfund",
    CHF: "franken sfr",
    RUB: "рубль рубли рублей руб",
    TRY: "lira tl",
    PLN: "zł złoty zloty złotych",
    BRL: "reais r$",
    JPY: "yen",
    CNY: "yuan rmb",
    UAH: "грн гривна",
    USDT: "tether",
    CZK: "kč",
    MXN: "pesos",
    INR: "rupees",
  }).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
  ["us dollars", "USD"],
]);

/** Marks around a currency that stands alone: "(EUR)", "EUR:". */
const AROUND = /^[\s([]+|[\s)\]:]+$/g;
const WORDS = /\p{L}+|\p{Sc}/gu;
const CODE_IN_BRACKETS = /(?<=[([{]\s*)[A-Z]{3,5}(?=\s*[)\]}])/g;
/** A word that stands alone in brackets. */
const IN_BRACKETS = /(?<=[([{]\s*)[\p{L}$]+(?=\s*[)\]}])/gu;
/** After "in" (English, German, Italian), "en" (French, Spanish), "em" (Portuguese) and "w" (Polish). */
const AFTER_IN = /(?<=(?<!\p{L})(?:in|en|em|w) )\p{L}+/giu;
const PREPOSITION = /^(?:in|en|em|w|в|of|de|of|as|als)$/i;

/** Parts of a coin, in words. */
const SMALL = [
  "sats?|satoshis?|litoshis?|photons?|m(?:illi)?sats?|bits|finney|szabo|[kmg]?wei|cents?|pence",
  "centimes?|centavos?|céntimos?|копе[йе]\\p{L}*|kuruş|grosz\\p{L}*|сатоши|цент\\p{L}*|sentymów",
  "eurocents?",
].join("|");
const COIN = "btc|xbt|ltc|eth|bitcoins?|litecoins?|ethers?|ethereum|₿|Ƀ|Ł|Ξ|coins?";
/** Parts and multiples: mBTC, µBTC, millibitcoin, kilo-satoshi. */
const PREFIXED = `(?:[mµμukcdn]|milli|mili|micro|mikro|centi|zenti|deci|dezi|kilo|mega|nano)[- ]?(?:${COIN}|satoshis?)`;
const GLUED = "(?:k|t|m|mio|mln|tsd)\\.?(?:eur|usd|gbp|chf|btc|ltc|eth|pln|rub|try|brl|\\p{Sc})";
const MANY = [
  "thousands?|thous|tsd|tausend|mille|milliers?|mil|miles|millares|migliaia|mila|milhares",
  "duizend(?:en|tallen)?|tys|tysi[ąę]\\p{L}*|bin|тыс|тысяч\\p{L}*|millions?|millionen|mio|mln|mill",
  "millones|milioni|milh(?:ões|ao|ão)|miljoen(?:en)?|milion\\p{L}*|milyon|млн|миллион\\p{L}*",
  "billions?|mrd|mld|mlrd|hundreds?|hundert|dozens?|percent|prozent|bps",
].join("|");
const THOUSANDS = "1?[.,'’ ]?000(?:[.,'’ ]?000)*";
const FACTOR = [
  `[x×✕*/÷:]\\s?(?:1[.,'’ ]?0+(?:[.,'’ ]?0{3})*|10\\s?(?:\\^|\\*\\*|e)\\s?[-−+]?\\d+)`,
  `(?:10\\s?\\^|1e)\\s?[-−+]?\\d+`,
  `10[⁻⁰¹²³⁴-⁹]+`,
  `${THOUSANDS}\\s?[x×]`,
  `['’]?${THOUSANDS}s?`,
].join("|");

/** For the heading of amounts; the point belongs to "Tsd.". */
const UNITS_IN_HEADING = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?:${PREFIXED}|${GLUED}|(?:${SMALL}|${MANY})\\.?)(?![\\p{L}\\p{N}])`,
    `(?<!\\p{N})(?:${FACTOR})(?!\\p{N})`,
    "[%‰]",
  ].join("|"),
  "giu",
);
const WHOLE_UNIT =
  /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|bits|litoshis|gwei|milli-?bitcoins?|millibits?)\s*$/i;
const UNIT_IN_A_NOTE = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|gwei`,
    "|in (?:satoshi|sat|bits|wei|thousands?|millions?|tausend|migliaia|duizenden)",
    "|en (?:milliers|miles|milhares))",
    String.raw`(?![\p{L}\p{N}])`,
  ].join(""),
  "iu",
);
/**
 * For the name of a file or a sheet, and for a title. Without Sat, which is also a day, and bits, which have many
 * meanings.
 */
const UNIT_IN_A_NAME = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?:${PREFIXED}|${GLUED}`,
    `satoshis?|sats|litoshis?|[kmg]wei|thousands?|tsd|tausend|cents|centimes|centavos|céntimos|pence`,
    `(?<=\\()(?:${SMALL}|${MANY})(?=\\.?\\)))(?![\\p{L}\\p{N}])|(?<!\\p{N})[x×]\\s?1[.,'’ ]?000(?!\\p{N})`,
  ].join("|"),
  "iu",
);
