/**
 * A service may answer a creation with another payment's payoutId, through its own fault or because answers were mixed
 * up. What it says about that payout then says nothing about our payment.
 */
import {
  destinationField,
  type Instruction,
  type ObservedPayout,
  sameDestination,
} from "../../model/index.ts";
import { formatAmount, sameAmount } from "../../money/index.ts";

/** Why a payout is not the instruction's; undefined if it has its reference, or its amount and destination. */
export function whyNotItsPayout({ fields }: Instruction, payout: ObservedPayout): string | undefined {
  const { payoutId, reference, requestedAmount } = payout;
  const field = destinationField(fields);
  const paysTheSame =
    sameAmount(requestedAmount, fields.amount) && sameDestination(payout[field] ?? "", fields[field] ?? "");
  if (paysTheSame || reference === fields.reference) return undefined;
  const shown = `${reference ?? "a payment without a reference"}, ${formatAmount(requestedAmount)}`;
  return `the service gave payout ${payoutId} for it, and shows that as ${shown}: whether this one was paid is not known`;
}
