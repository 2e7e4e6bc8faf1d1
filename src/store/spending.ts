/** The amounts spent per day, by currency and by destination; updated in the intents' own transaction. */
import type { Day } from "../model/index.ts";
import { type Amount, Decimal } from "../money/index.ts";
import { run, type Statement, single, sql, type Transaction } from "./sql.ts";

/** Lives within one transaction; `save` stores the added amounts. */
export class Spending {
  readonly day: Day;
  private readonly sums = new Map<string, Decimal>();
  private readonly sumsAt = new Map<string, { destination: string; currency: string; sum: Decimal }>();

  constructor(day: Day) {
    this.day = day;
  }

  /** Adds an amount unless the day's sum would exceed the limit; returns whether it was added. */
  *add({ currency, value }: Amount, limit: Decimal): Transaction<boolean> {
    const sum = (this.sums.get(currency) ?? (yield* spentOn(this.day, currency))).plus(value);
    if (sum.compare(limit) > 0) return false;
    this.sums.set(currency, sum);
    return true;
  }

  /**
   * The day's sum at a destination (in comparable form), including this amount. It counts only once passed to
   * `addAt`.
   */
  *sumAt(destination: string, { currency, value }: Amount): Transaction<Decimal> {
    const counted = this.sumsAt.get(`${destination} ${currency}`)?.sum;
    return (counted ?? (yield* spentAt(this.day, destination, currency))).plus(value);
  }

  /** Makes a sum from `sumAt` the day's sum. */
  addAt(destination: string, currency: string, sum: Decimal): void {
    this.sumsAt.set(`${destination} ${currency}`, { destination, currency, sum });
  }

  *save(): Transaction<void> {
    for (const [currency, sum] of this.sums) {
      yield* run(sql`insert into spent (day, currency, amount) values (${this.day}, ${currency}, ${sum.toString()})
        on conflict (day, currency) do update set amount = excluded.amount`);
    }
    for (const { destination, currency, sum } of this.sumsAt.values()) {
      yield* run(sql`insert into spent_at_destination (day, destination, currency, amount)
        values (${this.day}, ${destination}, ${currency}, ${sum.toString()})
        on conflict (day, destination, currency) do update set amount = excluded.amount`);
    }
  }
}

function spentAt(day: Day, destination: string, currency: string): Transaction<Decimal> {
  return amountIn(sql`select amount from spent_at_destination
    where day = ${day} and destination = ${destination} and currency = ${currency}`);
}

/** The exact sum of a day; zero if nothing was counted. */
export function spentOn(day: Day, currency: string): Transaction<Decimal> {
  return amountIn(sql`select amount from spent where day = ${day} and currency = ${currency}`);
}

function* amountIn(statement: Statement): Transaction<Decimal> {
  const amount = yield* single<string>(statement);
  return amount === undefined ? Decimal.zero : Decimal.of(amount);
}
