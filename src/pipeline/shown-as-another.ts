/**
 * A payout that the service gave for one payment and shows as another one: answers that were mixed up on their way, or a payoutId of
 * its own mistake. What it says of that payout says nothing about the payment.
 */
import { destinationField, type Instruction, type ObservedPayout, sameDestination } from "../model/index.ts";
import { formatAmount, sameAmount } from "../money/index.ts";

/** In words; undefined where the payout may be the payment's. A service may keep references in a way of its own, but pays what was asked for. */
export function whyAnother({ fields }: Instruction, payout: ObservedPayout): string | undefined {
  const { payoutId, reference, requestedAmount } = payout;
  const field = destinationField(fields);
  const paysTheSame =
    sameAmount(requestedAmount, fields.amount) && sameDestination(payout[field] ?? "", fields[field] ?? "");
  if (paysTheSame || reference === fields.reference) return undefined;
  const shown = `${reference ?? "a payment without a reference"}, ${formatAmount(requestedAmount)}`;
  return `the service gave payout ${payoutId} for it, and shows that as ${shown}: whether this one was paid is not known`;
}
