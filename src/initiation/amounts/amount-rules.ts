/** Checks an amount in its custody account's currency: payable, above zero, within scale and limit per row. */
import { type Problem, problem } from "../../faults/index.ts";
import { type Amount, currencyShown, Decimal, formatAmount } from "../../money/index.ts";
import type { AmountReading } from "../readers.ts";
import type { RuleContext } from "../rule-context.ts";
import { fillsNumberCell } from "./number-cell.ts";

export function checkAmount({ reading, policy, report }: RuleContext, currency: string): void {
  const scale = policy.scales.scaleOf(currency);
  const perRow = policy.limits.perRow[currency];
  if (scale === undefined) {
    report("currency", problem("CURRENCY_SCALE_UNKNOWN", { currency }));
  } else if (perRow === undefined || policy.limits.perFile[currency] === undefined) {
    report("currency", problem("CURRENCY_WITHOUT_LIMIT", { currency }));
  } else if (reading.values.amount !== undefined) {
    const breach = amountBreach(reading.values.amount, currency, scale, perRow);
    if (breach !== undefined) report("amount", breach);
  }
}

function amountBreach(
  { value, text, fromNumberCell, unit, decimals }: AmountReading,
  currency: string,
  scale: number,
  perRow: Decimal,
): Problem | undefined {
  const found = value.normalized().scale;
  if (value.isZero() || value.isNegative()) return problem("AMOUNT_NOT_POSITIVE", { text });
  if (unit !== undefined && currencyShown(unit) !== currency)
    return problem("AMOUNT_SHOWN_OTHERWISE", { text: `${value}`, unit, currency });
  if (found > scale) return problem("AMOUNT_TOO_PRECISE", { text, found, currency, scale });
  const shown = decimals === undefined ? undefined : roundedTo(value, decimals);
  if (shown !== undefined && !shown.equals(value))
    return problem("AMOUNT_SHOWN_ROUNDED", { text: `${value}`, shown: `${shown}` });
  // The currency has more decimals than the cell had room for: the digits that were cut off may have been money.
  if (fromNumberCell && found < scale && fillsNumberCell(value))
    return problem("AMOUNT_PRECISION_LOST", { text });
  return overLimit({ currency, value }, perRow, "perRow");
}

const SCOPES = {
  perRow: "per row",
  perFile: "per file",
  perDay: "per day",
  perDestination: "per destination and day",
} as const;

/** The problem of an amount above a configured limit; undefined if it is not above it, or there is none. */
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

/** Negative `decimals` round to tens or hundreds. */
function roundedTo(value: Decimal, decimals: number): Decimal {
  if (decimals >= 0) return value.rounded(decimals);
  const unit = Decimal.of(`1e${-decimals}`);
  return value.dividedBy(unit, 0).times(unit);
}
