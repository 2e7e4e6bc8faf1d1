/**
 * A service may answer a creation with another payment's payoutId, through its own fault or because answers were mixed
 * up. What it says about that payout then says nothing about our payment.
 */
import {
  hasReference,
  type Instruction,
  isAnothers,
  type ObservedPayout,
  paymentDifferences,
} from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";

/**
 * Why a payout is not the instruction's; undefined if it has its reference, or pays what was asked for and is not shown
 * as another's.
 */
export function whyNotItsPayout(instruction: Instruction, payout: ObservedPayout): string | undefined {
  if (hasReference(instruction, payout)) return undefined;
  if (!isAnothers(instruction, payout) && paymentDifferences(instruction, payout).length === 0)
    return undefined;
  const { payoutId, reference, requestedAmount } = payout;
  const shown = `${reference ?? "a payment without a reference"}, ${formatAmount(requestedAmount)}`;
  return `the service gave payout ${payoutId} for it, and shows that as ${shown}: whether this one was paid is not known`;
}
