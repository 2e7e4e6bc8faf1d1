/** Exchange rates as the service reports them: Currency and ExchangeRate of the interface, from the seeded rates. */
import { currencyScales, Decimal } from "../../money/index.ts";
import type { SeededRate } from "../seed.ts";

export interface Rates {
  /** The first seeded rate away from `currency`, or undefined when none is known. */
  from(currency: string): Rate | undefined;
  /** The seeded rate between two currencies. */
  between(fromCurrency: string, toCurrency: string): Rate | undefined;
}

export interface Rate {
  readonly fromCurrency: string;
  readonly toCurrency: string;
  readonly rate: Decimal;
}

export function exchangeRates(seeded: readonly SeededRate[]): Rates {
  const rates = seeded.map((one) => ({ ...one, rate: Decimal.of(one.rate) }));
  return {
    from: (currency) => rates.find((rate) => rate.fromCurrency === currency),
    between: (fromCurrency, toCurrency) =>
      rates.find((rate) => rate.fromCurrency === fromCurrency && rate.toCurrency === toCurrency),
  };
}

/** ExchangeRate of the interface. `measuredDate` is already in the service's date style. */
export function exchangeRateAnswer(rate: Rate, measuredDate: string) {
  return {
    rate: rate.rate,
    fromCurrency: currencyAnswer(rate.fromCurrency),
    toCurrency: currencyAnswer(rate.toCurrency),
    measuredDate,
  };
}

interface CurrencyFacts {
  readonly numericCode: number;
  readonly displayName: string;
  readonly symbol: string;
}

/** ISO 4217 numbers for fiat; cryptocurrencies have none there and get 0. */
const CURRENCIES: ReadonlyMap<string, CurrencyFacts> = new Map([
  ["BTC", { numericCode: 0, displayName: "Bitcoin", symbol: "₿" }],
  ["LTC", { numericCode: 0, displayName: "Litecoin", symbol: "Ł" }],
  ["ETH", { numericCode: 0, displayName: "Ether", symbol: "Ξ" }],
  ["EUR", { numericCode: 978, displayName: "Euro", symbol: "€" }],
  ["USD", { numericCode: 840, displayName: "US Dollar", symbol: "$" }],
  ["GBP", { numericCode: 826, displayName: "British Pound", symbol: "£" }],
  ["CHF", { numericCode: 756, displayName: "Swiss Franc", symbol: "CHF" }],
]);

function currencyAnswer(currencyCode: string) {
  const facts = CURRENCIES.get(currencyCode) ?? {
    numericCode: 0,
    displayName: currencyCode,
    symbol: currencyCode,
  };
  return {
    currencyCode,
    numericCode: facts.numericCode,
    numericCodeAsString: String(facts.numericCode).padStart(3, "0"),
    displayName: facts.displayName,
    symbol: facts.symbol,
    defaultFractionDigits: currencyScales().scaleOf(currencyCode) ?? 2,
  };
}
