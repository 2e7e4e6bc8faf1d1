/** Configured limits: per row, file, day, and destination and day. */
import { type Problem, problem } from "../../faults/index.ts";
import type { ControlTotal } from "../../model/index.ts";
import { type Amount, type Decimal, formatAmount } from "../../money/index.ts";

const SCOPES = {
  perRow: "per row",
  perFile: "per file",
  perDay: "per day",
  perDestination: "per destination and day",
} as const;

/** The problem of an amount above a configured limit; undefined if it is not above the limit, or has none. */
export function overLimit(
  amount: Amount,
  value: Decimal | undefined,
  name: keyof typeof SCOPES,
): Problem | undefined {
  if (value === undefined || amount.value.compare(value) <= 0) return undefined;
  const { currency } = amount;
  return problem("AMOUNT_OVER_LIMIT", {
    amount: `${name === "perFile" ? "the sum of " : ""}${formatAmount(amount)}`,
    limit: formatAmount({ currency, value }),
    scope: SCOPES[name],
    key: `limits.${name}.${currency}`,
  });
}

/** One problem per currency whose sum exceeds its limit per file. */
export function limitsExceeded(
  totals: readonly ControlTotal[],
  perFile: Readonly<Record<string, Decimal>>,
): Problem[] {
  return totals.flatMap(
    ({ currency, amount: value }) => overLimit({ currency, value }, perFile[currency], "perFile") ?? [],
  );
}
