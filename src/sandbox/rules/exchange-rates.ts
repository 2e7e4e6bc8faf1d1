/** Exchange rates as the service reports them: Currency and ExchangeRate of the interface, from seeded rates. */
import { currencyScales, Decimal } from "../../money/index.ts";
import type { SeededRate } from "../seed.ts";

export interface Rate {
  readonly fromCurrency: string;
  readonly toCurrency: string;
  readonly rate: Decimal;
}

interface Period {
  readonly sinceMs: number;
  readonly rates: readonly Rate[];
}

/** Earlier rates are kept, because movements confirmed at them still show them. */
export function exchangeRates(seeded: readonly SeededRate[]) {
  let present = periodOf(seeded, Number.NEGATIVE_INFINITY);
  const periods: Period[] = [present];
  return {
    /** The first seeded rate from this currency. */
    from: (currency: string) => rateFrom(present, currency),
    between: (fromCurrency: string, toCurrency: string) =>
      present.rates.find((rate) => rate.fromCurrency === fromCurrency && rate.toCurrency === toCurrency),
    /** The rate from this currency at an instant; if there was none, the first one after it. */
    at: (currency: string, atMs: number) => {
      const then = periods.findLastIndex(({ sinceMs }) => sinceMs <= atMs);
      const period = periods.find((one, index) => index >= then && rateFrom(one, currency) !== undefined);
      return period && rateFrom(period, currency);
    },
    replace: (next: readonly SeededRate[], nowMs: number): void => {
      present = periodOf(next, nowMs);
      periods.push(present);
    },
  };
}

function periodOf(seeded: readonly SeededRate[], sinceMs: number): Period {
  return { sinceMs, rates: seeded.map((seed) => ({ ...seed, rate: Decimal.of(seed.rate) })) };
}

function rateFrom({ rates }: Period, currency: string): Rate | undefined {
  return rates.find((rate) => rate.fromCurrency === currency);
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

/** ISO 4217 numbers; cryptocurrencies have none and get 0. */
const CURRENCIES = new Map([
  ["BTC", { numericCode: 0, displayName: "Bitcoin", symbol: "₿" }],
  ["LTC", { numericCode: 0, displayName: "Litecoin", symbol: "Ł" }],
  ["ETH", { numericCode: 0, displayName: "Ether", symbol: "Ξ" }],
  ["EUR", { numericCode: 978, displayName: "Euro", symbol: "€" }],
  ["USD", { numericCode: 840, displayName: "US Dollar", symbol: "$" }],
  ["GBP", { numericCode: 826, displayName: "British Pound", symbol: "£" }],
  ["CHF", { numericCode: 756, displayName: "Swiss Franc", symbol: "CHF" }],
]);

function currencyAnswer(currencyCode: string) {
  const unlisted = { numericCode: 0, displayName: currencyCode, symbol: currencyCode };
  const { numericCode, displayName, symbol } = CURRENCIES.get(currencyCode) ?? unlisted;
  return {
    currencyCode,
    numericCode,
    numericCodeAsString: String(numericCode).padStart(3, "0"),
    displayName,
    symbol,
    defaultFractionDigits: currencyScales().scaleOf(currencyCode) ?? 2,
  };
}
