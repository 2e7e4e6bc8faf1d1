/**
 * Derives settled facts from observations, with everything that is held back or deliberately not booked. It must see
 * all observed payouts first and then the deposits, both in windows: own transfers, shared transactions and duplicated
 * deposits can only be recognised from the other side.
 */
import type { DepositId, JournalEntry, ObservedDeposit, ObservedPayout, PayoutId } from "../model/index.ts";
import { type DepositContext, deriveDeposit } from "./deposit-facts.ts";
import { type Derived, joinDerived } from "./derived.ts";
import { doubleListings } from "./double-listings.ts";
import { liveEntries } from "./journal-entries.ts";
import { isTransfer, ownTransfers } from "./own-transfers.ts";
import { derivePayout } from "./payout-facts.ts";
import type { LedgerPolicy } from "./policy.ts";

/** Derives the facts of payouts, given in windows in the order of their ids. */
export class PayoutDerivation {
  private readonly policy: LedgerPolicy;
  private readonly bearers: FeeBearers | undefined;
  private readonly transfers: ObservedPayout[] = [];

  constructor(policy: LedgerPolicy) {
    this.policy = policy;
    this.bearers = policy.batchFee === "wholeTransaction" ? new FeeBearers() : undefined;
  }

  /**
   * Remembers which of the payouts transfer between own accounts; give it also those that are not derived. What was
   * booked stays what it was booked as, whatever accounts are configured since. `posted`: their entries so far.
   */
  noteTransfers(payouts: readonly ObservedPayout[], posted: readonly JournalEntry[]): void {
    const bookedAs = new Map([...liveEntries(posted).values()].map(({ sourceId, kind }) => [sourceId, kind]));
    for (const payout of payouts) {
      const kind = bookedAs.get(payout.payoutId);
      if (kind === undefined ? isTransfer(payout, this.policy) : kind === "transfer")
        this.transfers.push(payout);
    }
  }

  /** Facts in the order of the payouts. */
  derive(payouts: readonly ObservedPayout[]): Derived {
    const withoutOwnFee = this.bearers?.withoutOwnFee(payouts);
    return joinDerived(
      payouts.map((payout) =>
        derivePayout(payout, this.policy, withoutOwnFee?.has(payout.payoutId) === true),
      ),
    );
  }

  /** Context for deriving deposits; call it after the last payout. `related`: what `RelatedDeposits` names, or more. */
  depositContext(related: readonly ObservedDeposit[]): DepositContext {
    return {
      transfers: ownTransfers(this.transfers),
      doubleListings: doubleListings(related),
      deposits: new Map(related.map((deposit) => [deposit.depositId, deposit])),
    };
  }
}

/** Facts in the order of the deposits, which may be given in windows. */
export function deriveDeposits(
  deposits: readonly ObservedDeposit[],
  context: DepositContext,
  policy: LedgerPolicy,
): Derived {
  return joinDerived(deposits.map((deposit) => deriveDeposit(deposit, context, policy)));
}

/** Finds deposits on which others' facts depend: those with a shared transaction, and duplicates' originals. */
export class RelatedDeposits {
  private readonly firstByTransactionId = new Map<string, DepositId>();
  readonly ids = new Set<DepositId>();

  add(deposits: readonly ObservedDeposit[]): void {
    for (const { depositId, duplicatedFromDepositId, receivedFunds } of deposits) {
      if (duplicatedFromDepositId !== undefined) this.ids.add(duplicatedFromDepositId);
      for (const { transactionId } of receivedFunds) {
        if (transactionId === undefined) continue;
        const first = this.firstByTransactionId.get(transactionId) ?? depositId;
        this.firstByTransactionId.set(transactionId, first);
        if (first !== depositId) this.ids.add(first).add(depositId);
      }
    }
  }
}

/**
 * Under `batchFee: wholeTransaction`: which of the payouts that share a transaction carries its fee. Give it the
 * payouts in the order of their ids, in windows; the lowest id of a transaction carries the fee.
 */
class FeeBearers {
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
