/** Under `batchFee: wholeTransaction`: which of the payouts that share a transaction carries its fee. */
import type { ObservedPayout, PayoutId } from "../model/index.ts";

/** Give it the payouts in the order of their ids, in windows; the lowest id of a transaction carries the fee. */
export class FeeBearers {
  private readonly byTxHash = new Map<string, PayoutId>();

  /**
   * The payouts whose displayed fee another payout books. Payouts whose payee bears the fee are left out, since they book
   * no fee anyway.
   */
  withoutOwnFee(payouts: readonly ObservedPayout[]): ReadonlySet<PayoutId> {
    const without = new Set<PayoutId>();
    const candidates = payouts.filter((payout) => !payout.subtractFee);
    for (const payout of candidates.toSorted((a, b) => (a.payoutId < b.payoutId ? -1 : 1))) {
      for (const { txHash } of payout.sentFunds) {
        if (txHash === undefined) continue;
        const bearer = this.byTxHash.get(txHash) ?? payout.payoutId;
        this.byTxHash.set(txHash, bearer);
        if (bearer !== payout.payoutId) without.add(payout.payoutId);
      }
    }
    return without;
  }
}
