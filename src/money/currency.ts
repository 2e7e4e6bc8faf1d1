/**
 * How many decimals each currency has: cryptocurrencies by their smallest unit, fiat by ISO 4217.
 * Others come from the configuration (`currencies`).
 */

export interface CurrencyScales {
  /** Number of decimals; undefined for an unknown currency. */
  scaleOf(currency: string): number | undefined;
}

const CRYPTO_SCALES: ReadonlyMap<string, number> = new Map([
  ["BTC", 8],
  ["LTC", 8],
  ["ETH", 18],
]);

/** The codes of the built-in cryptocurrencies, without configured ones. */
export const cryptocurrencies: readonly string[] = [...CRYPTO_SCALES.keys()];

/** ISO 4217 minor units that are not 2, and the funds codes we accept with 2. */
const FIAT_SCALES: ReadonlyMap<string, number> = new Map([
  ...withScale(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
  ...withScale(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...withScale(
    2,
    "AED ARS AUD BGN BRL CAD CHF CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR MAD MXN MYR NOK NZD PEN " +
      "PHP PLN RON SAR SEK SGD THB TRY TWD UAH USD UYU ZAR",
  ),
]);

function withScale(scale: number, codes: string): readonly (readonly [code: string, scale: number])[] {
  return codes.split(" ").map((code) => [code, scale]);
}

export function currencyScales(fromConfig: Readonly<Record<string, number>> = {}): CurrencyScales {
  const configured = new Map(Object.entries(fromConfig));
  return {
    scaleOf: (currency) =>
      configured.get(currency) ?? CRYPTO_SCALES.get(currency) ?? FIAT_SCALES.get(currency),
  };
}

/** Signs of currencies. `$` and `¥` may mean other currencies too, but none that has its own sign here. */
const CURRENCY_OF_SIGN: ReadonlyMap<string, string> = new Map([
  ["₿", "BTC"],
  ["Ł", "LTC"],
  ["Ξ", "ETH"],
  ["€", "EUR"],
  ["$", "USD"],
  ["£", "GBP"],
  ["¥", "JPY"],
]);

const CURRENCY_OF_NAME: ReadonlyMap<string, string> = new Map([
  ["bitcoin", "BTC"],
  ["bitcoins", "BTC"],
  // ISO 4217 style: X for a currency that belongs to no country.
  ["xbt", "BTC"],
  ["биткоин", "BTC"],
  ["биткойн", "BTC"],
  ["litecoin", "LTC"],
  ["ethereum", "ETH"],
  ["ether", "ETH"],
]);

/** The currency that is shown beside digits: by its code or name, in any case, or by its sign. */
export function currencyShown(unit: string): string {
  return CURRENCY_OF_SIGN.get(unit) ?? CURRENCY_OF_NAME.get(unit.toLowerCase()) ?? unit.toUpperCase();
}

/**
 * Replaces the currency signs of a text by codes, so that "Amount (€)" reads as "Amount (EUR)"; leaves other signs.
 */
export function withCurrencyCodes(text: string): string {
  // Leaves signs that are also letters of words.
  return text.replace(/\p{Sc}/gu, (sign) => (CURRENCY_OF_SIGN.has(sign) ? ` ${currencyShown(sign)} ` : sign));
}

export function isFiat(currency: string): boolean {
  return FIAT_SCALES.has(currency);
}
