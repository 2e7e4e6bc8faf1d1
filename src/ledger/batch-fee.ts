/** Which payout bears the fee where several share a transaction, under `batchFee: wholeTransaction`. */
import type { ObservedPayout, PayoutId } from "../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

/** Payouts come some at a time, in the order of their ids: the one with the lowest id bears its transaction's fee. */
export class FeeBearers {
  private readonly byTxHash = new Map<string, PayoutId>();

  private readonly policy: Pick<LedgerPolicy, "batchFee">;

  constructor(policy: Pick<LedgerPolicy, "batchFee">) {
    this.policy = policy;
  }

  /**
   * Those whose shown fee is another payout's to book. Empty under `perPayout`; a payout whose payee bears the fee books none of ours and
   * is left out.
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
