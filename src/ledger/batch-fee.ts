/** Under `batchFee: wholeTransaction`: which of the payouts that share a transaction carries its fee. */
import type { ObservedPayout, PayoutId } from "../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

/** Give it the payouts in the order of their ids, in windows; the lowest id of a transaction carries the fee. */
export class FeeBearers {
  private readonly byTxHash = new Map<string, PayoutId>();

  private readonly policy: Pick<LedgerPolicy, "batchFee">;

  constructor(policy: Pick<LedgerPolicy, "batchFee">) {
    this.policy = policy;
  }

  /**
   * The payouts whose displayed fee another payout books. Always empty under `perPayout`. Payouts whose payee bears the
   * fee are left out, since they book no fee anyway.
   */
  withoutOwnFee(payouts: readonly ObservedPayout[]): ReadonlySet<PayoutId> {
    const without = new Set<PayoutId>();
    if (this.policy.batchFee === "perPayout") return without;
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
