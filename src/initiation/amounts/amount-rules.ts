/** Checks an amount in its custody account's currency: payable, above zero, within scale and limit per row. */
import { type Problem, problem } from "../../faults/index.ts";
import { type Amount, currencyShown, Decimal, formatAmount } from "../../money/index.ts";
import type { AmountReading } from "../column-format.ts";
import { fillsNumberCell } from "../number-cell.ts";
import type { RowContext } from "../row-context.ts";

/** The value to pay, which differs from the cell's only if a calculated amount is rounded; undefined after a problem. */
export function checkAmount(
  { row, policy, report, warn }: RowContext,
  currency: string,
): Decimal | undefined {
  const scale = policy.scales.scaleOf(currency);
  const perRow = policy.limits.perRow[currency];
  const { amount } = row.values;
  if (scale === undefined) {
    report("currency", problem("CURRENCY_SCALE_UNKNOWN", { currency }));
  } else if (perRow === undefined || policy.limits.perFile[currency] === undefined) {
    report("currency", problem("CURRENCY_WITHOUT_LIMIT", { currency }));
  } else if (amount !== undefined) {
    const isRounded = policy.roundCalculated === "half-even" && amount.isCalculated;
    const rounded = isRounded ? halfEven(amount.value, scale) : amount.value;
    const breach =
      amountBreach({ ...amount, value: rounded }, currency, scale) ??
      overLimit({ currency, value: rounded }, perRow, "perRow");
    if (breach !== undefined) report("amount", breach);
    else if (!rounded.equals(amount.value))
      warn("amount", problem("AMOUNT_ROUNDED", { text: amount.text, rounded: `${rounded}` }));
    return breach === undefined ? rounded : undefined;
  }
  return undefined;
}

function amountBreach(
  { value, text, fromNumberCell, isCalculated, unit, decimals }: AmountReading,
  currency: string,
  scale: number,
): Problem | undefined {
  const found = value.normalized().scale;
  if (value.isZero() || value.isNegative()) return problem("AMOUNT_NOT_POSITIVE", { text });
  if (unit !== undefined && currencyShown(unit) !== currency)
    return problem("AMOUNT_SHOWN_OTHERWISE", { text: `${value}`, unit, currency });
  if (found > scale && isCalculated)
    return problem("AMOUNT_NOT_ROUNDED", {
      text,
      found,
      currency,
      scale,
      rounded: `${halfEven(value, scale)}`,
    });
  if (found > scale) return problem("AMOUNT_TOO_PRECISE", { text, found, currency, scale });
  const shown = decimals === undefined ? undefined : roundedTo(value, decimals);
  if (shown !== undefined && !shown.equals(value))
    return problem("AMOUNT_SHOWN_ROUNDED", { text: `${value}`, shown: `${shown}` });
  // The currency has more decimals than the cell had room for: the digits that were cut off may have been money.
  const isCut = fromNumberCell && found < scale && fillsNumberCell(value);
  return isCut ? problem("AMOUNT_PRECISION_LOST", { text }) : undefined;
}

/** Rounds half to even: `rounded` takes a half away from zero. */
function halfEven(value: Decimal, scale: number): Decimal {
  const rounded = value.rounded(scale);
  const unit = Decimal.of(`1e-${scale}`);
  const isHalf = rounded.minus(value).absolute().times(Decimal.of("2")).equals(unit);
  return isHalf && /[13579]$/.test(rounded.toString()) ? rounded.minus(unit) : rounded;
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
