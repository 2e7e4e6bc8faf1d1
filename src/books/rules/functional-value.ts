/**
 * Values an amount in the functional currency. Rates run in either direction; a missing rate is never taken as
 * zero.
 */
import type { ObservedRate } from "../../model/index.ts";
import type { Amount } from "../../money/index.ts";
import { Decimal } from "../../money/index.ts";
import { functionalScale, type LedgerPolicy } from "./policy.ts";

/** Rounded half up to the functional currency's smallest unit; undefined if the rate does not convert to it. */
export function functionalValue(
  { currency, value }: Amount,
  rate: ObservedRate | undefined,
  policy: Pick<LedgerPolicy, "functionalCurrency" | "scales">,
): Decimal | undefined {
  const scale = functionalScale(policy);
  const functional = policy.functionalCurrency;
  if (currency === functional) return value.rounded(scale);
  if (rate === undefined || rate.rate.compare(Decimal.zero) <= 0) return undefined;
  if (rate.from === currency && rate.to === functional) return value.times(rate.rate).rounded(scale);
  if (rate.from === functional && rate.to === currency) return value.dividedBy(rate.rate, scale);
  return undefined;
}
