/** Which payout bears the fee where several share a transaction and each shows the whole of it. */
import type { PayoutId } from "./ids.ts";
import type { ObservedPayout } from "./observation.ts";

/** Whether a payout that shares its transaction shows its own part of the fee, or the whole of it; the interface does not say. */
export type BatchFee = "perPayout" | "wholeTransaction";

/**
 * Payouts whose shown fee is another payout's. Empty under `perPayout`. The one with the lowest id bears it; a payout whose payee
 * bears the fee takes none of ours and is left out.
 */
export function payoutsWithoutOwnFee(
  payouts: readonly ObservedPayout[],
  batchFee: BatchFee,
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
