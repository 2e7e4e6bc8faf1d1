/**
 * What a payout moved, told apart: what the payee got and the fee. The interface does not say whether sentFunds.amount
 * holds the fee, so it is derived from the requested amount, and whatever fits neither reading is not booked.
 */
import type { ObservedFunds, ObservedPayout } from "../model/index.ts";
import { type Amount, formatAmount } from "../money/index.ts";

export interface SentAmounts {
  readonly net: Amount;
  /** Absent when there was none. */
  readonly fee?: Amount;
}

/** The net amount and the fee of a payout, or in words why they cannot be told. */
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
  return subtractFee ? feeOnPayee(requested, sent, fee) : feeOnUs(requested, sent, fee);
}

function feeOnUs(requested: Amount, sent: Amount, fee: Amount | undefined): SentAmounts | string {
  if (fee === undefined) {
    return sent.value.equals(requested.value) ? { net: sent } : disagreement(requested, sent, fee);
  }
  const isNet = sent.value.equals(requested.value);
  const isGross = sent.value.equals(requested.value.plus(fee.value));
  return isNet || isGross ? { net: requested, fee } : disagreement(requested, sent, fee);
}

function feeOnPayee(requested: Amount, sent: Amount, fee: Amount | undefined): SentAmounts | string {
  if (fee === undefined) {
    return sent.value.equals(requested.value) ? { net: sent } : disagreement(requested, sent, fee);
  }
  const net: Amount = { currency: requested.currency, value: requested.value.minus(fee.value) };
  if (net.value.isNegative() || net.value.isZero()) return disagreement(requested, sent, fee);
  const fits = sent.value.equals(net.value) || sent.value.equals(requested.value);
  return fits ? { net, fee } : disagreement(requested, sent, fee);
}

function disagreement(requested: Amount, sent: Amount, fee: Amount | undefined): string {
  const shown = fee === undefined ? "no fee" : `a fee of ${formatAmount(fee)}`;
  return `${formatAmount(requested)} was requested, but ${formatAmount(sent)} was sent with ${shown}`;
}
