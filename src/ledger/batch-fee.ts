/** Which payout bears the fee where several share a transaction, under `batchFee: wholeTransaction`. */
import type { ObservedPayout, PayoutId } from "../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

/**
 * Payouts whose shown fee is another payout's to book. Empty under `perPayout`. The one with the lowest id bears it;
 * a payout whose payee bears the fee books none of ours and is left out.
 */
export function payoutsWithoutOwnFee(
  payouts: readonly ObservedPayout[],
  { batchFee }: Pick<LedgerPolicy, "batchFee">,
): ReadonlySet<PayoutId> {
  const without = new Set<PayoutId>();
  if (batchFee === "perPayout") return without;
  const bearers = new Map<string, PayoutId>();
  const candidates = payouts.filter((payout) => !payout.subtractFee);
  for (const payout of candidates.toSorted((a, b) => (a.payoutId < b.payoutId ? -1 : 1))) {
    for (const { txHash } of payout.sentFunds) {
      if (txHash === undefined) continue;
      const bearer = bearers.get(txHash) ?? payout.payoutId;
      bearers.set(txHash, bearer);
      if (bearer !== payout.payoutId) without.add(payout.payoutId);
    }
  }
  return without;
}
