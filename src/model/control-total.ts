/** Row count and exact sum per currency, by which every stage proves that it neither lost nor added a payment. */

import type { Amount, Decimal } from "../money/index.ts";
import { compareText } from "./compare-text.ts";

export interface ControlTotal {
  readonly currency: string;
  readonly count: number;
  readonly amount: Decimal;
}

export function controlTotals(amounts: Iterable<Amount>): ControlTotal[] {
  const running = new RunningTotals();
  for (const amount of amounts) running.add(amount);
  return running.totals();
}

/** Accumulates control totals; memory grows with the number of currencies, not of amounts. */
export class RunningTotals {
  private readonly byCurrency = new Map<string, { count: number; amount: Decimal }>();

  add({ currency, value }: Amount): void {
    this.addSum(currency, 1, value);
  }

  addTotal({ currency, count, amount }: ControlTotal): void {
    this.addSum(currency, count, amount);
  }

  private addSum(currency: string, count: number, amount: Decimal): void {
    const before = this.byCurrency.get(currency);
    if (before === undefined) {
      this.byCurrency.set(currency, { count, amount });
    } else {
      before.count += count;
      before.amount = before.amount.plus(amount);
    }
  }

  of(currency: string): Omit<ControlTotal, "currency"> | undefined {
    return this.byCurrency.get(currency);
  }

  totals(): ControlTotal[] {
    return [...this.byCurrency]
      .map(([currency, sum]) => ({ currency, ...sum }))
      .sort((a, b) => compareText(a.currency, b.currency));
  }
}

export function addControlTotals(...lists: readonly (readonly ControlTotal[])[]): ControlTotal[] {
  const running = new RunningTotals();
  for (const total of lists.flat()) running.addTotal(total);
  return running.totals();
}

/** Subtracts totals. A currency of which nothing is left is dropped. */
export function lessControlTotals(
  totals: readonly ControlTotal[],
  less: readonly ControlTotal[],
): ControlTotal[] {
  const negated = less.map(({ currency, count, amount }) => {
    return { currency, count: -count, amount: amount.negated() };
  });
  return addControlTotals(totals, negated).filter(({ count }) => count !== 0);
}

export function countOf(totals: readonly ControlTotal[]): number {
  return totals.reduce((sum, { count }) => sum + count, 0);
}

export function sameControlTotals(left: readonly ControlTotal[], right: readonly ControlTotal[]): boolean {
  return formatControlTotals(left) === formatControlTotals(right);
}

/** "39 x BTC 1.2345": trailing zeros are dropped, so that equal totals print equally. */
export function formatControlTotals(totals: readonly ControlTotal[]): string {
  if (totals.length === 0) return "nothing";
  return totals.map((t) => `${t.count} x ${t.currency} ${t.amount.normalized()}`).join(", ");
}
