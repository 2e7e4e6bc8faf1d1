/** The limits of a payment and of its day: measures and counts the payment before it may leave. */
import { type Problem, problem } from "../../faults/index.ts";
import { type Day, destinationOf, type Instruction, type Submission } from "../../model/index.ts";
import { type Amount, type Decimal, formatAmount } from "../../money/index.ts";
import type { Spending } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import type { ExecutionPolicy } from "./tools.ts";

export type SpendingLimits = Pick<
  ExecutionPolicy,
  "limitPerRow" | "limitPerDay" | "limitPerDestination" | "dayOf"
>;

/**
 * Measures the amount by the limit per row, and counts it against those of the day in `spending`. If it exceeds
 * one, returns the problem and counts nothing. A payment that one of `attempts` has counted today is not measured
 * again, even if a limit was lowered since.
 */
export function* spend(
  { fields }: Instruction,
  attempts: readonly Attempt[],
  spending: Spending,
  { limitPerRow, limitPerDay, limitPerDestination, dayOf }: SpendingLimits,
): Transaction<Problem | undefined> {
  if (isCountedOn(spending.day, attempts, dayOf)) return undefined;
  const { amount, reference } = fields;
  const { currency } = amount;
  const [perRow, perDay] = [limitPerRow[currency], limitPerDay[currency]];
  if (perRow === undefined || perDay === undefined)
    return problem("CURRENCY_WITHOUT_LIMIT", { currency }, { reference });
  const perDestination = limitPerDestination[currency];
  // For instance, the limit was lowered after the approval. Waiting for tomorrow would not help.
  const over =
    overLimit("perRow", amount, perRow) ??
    overLimit("perDay", amount, perDay) ??
    overLimit("perDestination", amount, perDestination);
  if (over !== undefined) return { ...over, reference };
  const destination = destinationOf(fields);
  const atDestination = perDestination && (yield* spending.sumAt(destination, amount));
  if (perDestination && atDestination && atDestination.compare(perDestination) > 0) {
    const limit = formatAmount({ currency, value: perDestination });
    const where = ` to ${destination}`;
    const parameters = { amount: formatAmount(amount), limit, where, key: "perDestination" };
    return problem("DAY_LIMIT_REACHED", parameters, { reference });
  }
  if (!(yield* spending.add(amount, perDay))) {
    const parameters = { amount: formatAmount(amount), limit: perDay.toString(), where: "", key: "perDay" };
    return problem("DAY_LIMIT_REACHED", parameters, { reference });
  }
  if (atDestination) spending.addAt(destination, currency, atDestination);
  return undefined;
}

function overLimit(key: string, amount: Amount, limit: Decimal | undefined): Problem | undefined {
  if (limit === undefined || amount.value.compare(limit) <= 0) return undefined;
  const shown = formatAmount({ currency: amount.currency, value: limit });
  return problem("PAYMENT_OVER_LIMIT", { amount: formatAmount(amount), key, limit: shown });
}

type Attempt = Pick<Submission, "intendedAt" | "resentAt">;

/** Whether a payment is already counted on `day`: one of its sends was intended on that day. */
function isCountedOn(day: Day, attempts: readonly Attempt[], dayOf: SpendingLimits["dayOf"]): boolean {
  return attempts.some(({ intendedAt, resentAt = intendedAt }) =>
    [intendedAt, resentAt].map(dayOf).includes(day),
  );
}
