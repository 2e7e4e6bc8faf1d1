/** The limits of a payment and of its day, checked before it may leave. */
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
 * Checks the amount against the limit per row, and counts it in `spending` against those of the day. If it exceeds
 * one, returns the problem and counts nothing. A payment that `attempts` have counted today passes, even if a limit
 * was lowered since.
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
  // Limits may have been lowered after the approval. Waiting for tomorrow would not help.
  const over =
    overLimit("perRow", amount, perRow) ??
    overLimit("perDay", amount, perDay) ??
    overLimit("perDestination", amount, perDestination);
  if (over !== undefined) return { ...over, reference };
  const destination = destinationOf(fields);
  const atDestination = perDestination && (yield* spending.sumAt(destination, amount));
  const reached = (key: string, limit: string, where: string) =>
    problem("DAY_LIMIT_REACHED", { amount: formatAmount(amount), limit, where, key }, { reference });
  if (perDestination && atDestination && atDestination.compare(perDestination) > 0)
    return reached("perDestination", formatAmount({ currency, value: perDestination }), ` to ${destination}`);
  if (!(yield* spending.add(amount, perDay))) return reached("perDay", perDay.toString(), "");
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
