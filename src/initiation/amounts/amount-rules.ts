/** Checks an amount in its custody account's currency: payable, above zero, within scale and limit per row. */
import { type Problem, problem } from "../../faults/index.ts";
import { currencyShown, Decimal, formatAmount } from "../../money/index.ts";
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
  if (value.compare(perRow) <= 0) return undefined;
  const limit = formatAmount({ currency, value: perRow });
  const amount = formatAmount({ currency, value });
  return problem("AMOUNT_OVER_LIMIT", { amount, limit, scope: "per row", key: `limits.perRow.${currency}` });
}

/** Negative `decimals` round to tens or hundreds. */
function roundedTo(value: Decimal, decimals: number): Decimal {
  if (decimals >= 0) return value.rounded(decimals);
  const unit = Decimal.of(`1e${-decimals}`);
  return value.dividedBy(unit, 0).times(unit);
}
