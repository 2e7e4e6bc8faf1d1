/** Splits a payout's movement into net amount and fee. Figures that contradict the request are not booked. */
import { netSent, type ObservedFunds, type ObservedPayout } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Amount, Decimal, formatAmount } from "../../money/index.ts";

export interface SentAmounts {
  readonly net: Amount;
  /** Absent if there was none. */
  readonly fee?: Amount;
}

/** The net amount and the fee, or a sentence that says why they cannot be determined. */
export function sentAmounts(
  { requestedAmount: requested, subtractFee }: Pick<ObservedPayout, "requestedAmount" | "subtractFee">,
  { amount: sent, fee: shownFee }: Pick<ObservedFunds, "amount" | "fee">,
): SentAmounts | string {
  if (sent === undefined) return "the service shows no sent amount";
  if (sent.currency !== requested.currency) {
    return `${formatAmount(sent)} was sent where ${formatAmount(requested)} was requested`;
  }
  if (sent.value.isNegative() || sent.value.isZero()) return `the sent amount is ${formatAmount(sent)}`;
  if (shownFee?.value.isNegative()) return `the fee is ${formatAmount(shownFee)}`;
  const fee = shownFee?.value.isZero() ? undefined : shownFee;
  if (fee !== undefined && fee.currency !== requested.currency) {
    if (subtractFee) return `a fee in ${fee.currency} cannot be subtracted from ${formatAmount(requested)}`;
    return sent.value.equals(requested.value) ? { net: sent, fee } : disagreement(requested, sent, fee);
  }
  const net = netSent(requested.value, sent.value, fee?.value ?? Decimal.zero, subtractFee);
  if (net === undefined) return disagreement(requested, sent, fee);
  return { net: { currency: requested.currency, value: net }, ...present({ fee }) };
}

function disagreement(requested: Amount, sent: Amount, fee: Amount | undefined): string {
  const feeText = fee === undefined ? "no fee" : `a fee of ${formatAmount(fee)}`;
  return `${formatAmount(requested)} was requested, but ${formatAmount(sent)} was sent with ${feeText}`;
}
