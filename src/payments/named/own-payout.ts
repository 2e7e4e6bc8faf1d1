/** Finds one of our payouts by the creation's answer, so that it can be voided before any find shows it. */
import {
  type Instruction,
  isItsPayout,
  type ObservedPayout,
  type PayoutId,
  payoutId,
} from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import { knownByIds } from "../../observation/index.ts";
import { findByPayoutId, findByReference } from "../../store/instructions.ts";
import type { Workplace } from "../../workplace/workplace.ts";

export type OwnPayout = Instruction & { readonly payoutId: PayoutId };

/** The accepted payment; undefined if there is none or the service has shown its payout as another's. */
export function ownPayout(
  { store }: Pick<Workplace, "store">,
  idOrReference: string,
): Promise<OwnPayout | undefined> {
  return store.read(function* () {
    const named = yield* findByReference(idOrReference);
    const instruction = named ?? (yield* findByPayoutId(payoutId(idOrReference.toLowerCase())));
    if (instruction?.standing !== "accepted" || instruction.payoutId === undefined) return undefined;
    const own = { ...instruction, payoutId: instruction.payoutId };
    const known = (yield* knownByIds([own.payoutId])).get(own.payoutId);
    return known !== undefined && whyNotItsPayout(own, known) !== undefined ? undefined : own;
  });
}

/**
 * Why a payout is not the instruction's; undefined if it is (`isItsPayout`). A service may answer a creation with
 * another payment's payoutId, through its own fault or because answers were mixed up. That payout then proves
 * nothing about our payment.
 */
export function whyNotItsPayout(instruction: Instruction, payout: ObservedPayout): string | undefined {
  if (isItsPayout(instruction, payout)) return undefined;
  const { payoutId, reference, requestedAmount } = payout;
  const shown = `${reference ?? "a payment without a reference"}, ${formatAmount(requestedAmount)}`;
  return (
    `the service gave payout ${payoutId} for it, and shows that as ${shown}: whether this one was paid ` +
    `is not known`
  );
}
