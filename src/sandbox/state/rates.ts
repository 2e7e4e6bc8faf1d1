/** Exchange rates over time. Earlier ones are kept, because movements confirmed at them still show them. */
import { Decimal } from "../../money/index.ts";
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

export function exchangeRates(seeded: readonly SeededRate[]) {
  let present = periodOf(seeded, Number.NEGATIVE_INFINITY);
  const periods = [present];
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
