/**
 * Settled facts from what the service shows, with everything that is held back and everything rightly not booked.
 * It must be given all observed payouts and deposits: an own transfer, a shared transaction and a duplicated deposit are
 * known by their other side.
 */
import { type ObservedDeposit, type ObservedPayout, payoutsWithoutOwnFee } from "../model/index.ts";
import { deriveDeposit } from "./deposit-facts.ts";
import { type Derived, joinDerived } from "./derived.ts";
import { otherListings } from "./other-listing.ts";
import { ownTransfers } from "./own-transfers.ts";
import { derivePayout } from "./payout-facts.ts";
import type { LedgerPolicy } from "./policy.ts";

export interface Observations {
  /** The latest observation of each. */
  readonly payouts: readonly ObservedPayout[];
  readonly deposits: readonly ObservedDeposit[];
}

/** Facts in the order of the observations; `held` are problems, `notBooked` are rows for the report. */
export function deriveFacts({ payouts, deposits }: Observations, policy: LedgerPolicy): Derived {
  const withoutOwnFee = payoutsWithoutOwnFee(payouts, policy.batchFee);
  const context = {
    transfers: ownTransfers(payouts, policy),
    otherListing: otherListings(deposits),
    deposits: new Map(deposits.map((deposit) => [deposit.depositId, deposit])),
  };
  return joinDerived([
    ...payouts.map((payout) => derivePayout(payout, policy, withoutOwnFee.has(payout.payoutId))),
    ...deposits.map((deposit) => deriveDeposit(deposit, context, policy)),
  ]);
}
