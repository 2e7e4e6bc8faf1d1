/**
 * Today's spending is recomputed from today's intents, so that nobody can lower the stored sums below it. Re-sends
 * of earlier days' intents are counted in the stored sums only.
 */
import { fault } from "../../faults/index.ts";
import { DAY_MS, type Day, shifted } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { Spending, spentOn } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import { listIntentsBefore, type PaymentIntent } from "../../store/submissions.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { spendingLimitsOf } from "./spending-limits.ts";

/**
 * Compares today's spending with today's intents. Throws BATCH_ALTERED if the stored sum of a currency is lower.
 * Raises a lower sum of a destination instead, because it counts only payments since its limit was set.
 */
export async function checkDaySums({ store, config, context }: Workplace): Promise<void> {
  const { limitPerDestination, dayOf } = spendingLimitsOf(config);
  const now = context.clock.now();
  const day = dayOf(now);
  const sums = new Map<string, Decimal>();
  const atDestinations = new Map<string, { destination: string; currency: string; sum: Decimal }>();
  const counted = new Set<string>();
  const intents = inWindows<PaymentIntent>(store, (last) => listIntentsBefore(last?.id, INTENTS));
  for await (const window of intents) {
    const today = window.filter(
      ({ intended_at: at }) => at > shifted(now, -TWO_DAYS_MS) && dayOf(at) === day,
    );
    if (today.length === 0) break;
    for (const { instruction_id: id, currency, amount, destination } of today) {
      if (counted.has(id)) continue;
      counted.add(id);
      sums.set(currency, (sums.get(currency) ?? Decimal.zero).plus(Decimal.of(amount)));
      if (limitPerDestination[currency] === undefined) continue;
      const key = `${destination} ${currency}`;
      const sum = (atDestinations.get(key)?.sum ?? Decimal.zero).plus(Decimal.of(amount));
      atDestinations.set(key, { destination, currency, sum });
    }
  }
  await store.read(() => compareSums(day, sums));
  if (atDestinations.size > 0) await store.write(() => raiseSums(day, atDestinations.values()));
}

const TWO_DAYS_MS = 2 * DAY_MS;

/** Intents read at a time, newest first. */
const INTENTS = 1000;

function* compareSums(day: Day, sums: ReadonlyMap<string, Decimal>): Transaction<void> {
  for (const [currency, sum] of sums)
    if ((yield* spentOn(day, currency)).compare(sum) < 0)
      throw fault("BATCH_ALTERED", { what: `the sums of ${currency} spent on ${day}` });
}

function* raiseSums(
  day: Day,
  sums: Iterable<{ destination: string; currency: string; sum: Decimal }>,
): Transaction<void> {
  const spending = new Spending(day);
  for (const { destination, currency, sum } of sums) {
    const stored = yield* spending.sumAt(destination, { currency, value: Decimal.zero });
    if (stored.compare(sum) < 0) spending.addAt(destination, currency, sum);
  }
  yield* spending.save();
}
