/**
 * Derives settled facts from observations, with everything that is held back or deliberately not booked. Must see
 * all observed payouts first and then the deposits, both in windows: own transfers, shared transactions and
 * duplicated deposits can only be recognised from the other side.
 */
import {
  comparableDestination,
  type DepositId,
  type Fact,
  type JournalEntry,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
  type ReceiptClaims,
} from "../../model/index.ts";
import { type DepositContext, deriveDeposit } from "./deposit-facts.ts";
import { type Derived, joinDerived, type Replaced } from "./derived.ts";
import { liveEntries } from "./journal-entries.ts";
import { isTransfer, ownTransfers, type ReceivingAccounts, withReceivingAccount } from "./own-transfers.ts";
import { derivePayout } from "./payout-facts.ts";
import type { LedgerPolicy } from "./policy.ts";
import { bookedReceipt, isSameBooking, receiptKeyIn } from "./receipt-keys.ts";

/** Derives the facts of payouts, given in windows in the order of their ids. */
export class PayoutDerivation {
  private readonly policy: LedgerPolicy;
  private readonly bearers: FeeBearers | undefined;
  private readonly accounts: ReceivingAccounts;
  private readonly transfers = new Map<PayoutId, ObservedPayout>();
  private readonly bookedTransfers = new Set<string>();

  constructor(policy: LedgerPolicy, accounts: ReceivingAccounts) {
    this.policy = policy;
    this.accounts = accounts;
    this.bearers = policy.batchFee === "wholeTransaction" ? new FeeBearers() : undefined;
  }

  /**
   * Remembers which of the payouts are transfers between own accounts, and returns those. A booked payout keeps the
   * kind it was booked as, even if accounts are configured later. `posted`: their entries so far. Call it for all
   * payouts, also those set aside, before `derive`; and again, with the new entries, before `depositContext`.
   */
  noteTransfers(payouts: readonly ObservedPayout[], posted: readonly JournalEntry[]): ObservedPayout[] {
    const bookedAs = new Map([...liveEntries(posted).values()].map(({ sourceId, kind }) => [sourceId, kind]));
    return payouts
      .map((payout) => withReceivingAccount(payout, this.accounts))
      .filter((payout) => {
        const kind = bookedAs.get(payout.payoutId);
        const isNoted = kind === undefined ? isTransfer(payout, this.policy) : kind === "transfer";
        if (isNoted) this.transfers.set(payout.payoutId, payout);
        if (kind === "transfer") this.bookedTransfers.add(payout.payoutId);
        return isNoted;
      });
  }

  /** Facts in the order of the payouts. Call `noteTransfers` with them first. */
  derive(payouts: readonly ObservedPayout[]): Derived {
    const withoutOwnFee = this.bearers?.withoutOwnFee(payouts);
    return joinDerived(
      payouts.map((payout) => {
        const feeElsewhere = withoutOwnFee?.has(payout.payoutId) === true;
        return derivePayout(this.transfers.get(payout.payoutId) ?? payout, this.policy, feeElsewhere);
      }),
    );
  }

  /** Context for deriving deposits, without decisions of people; call it after the last payout. */
  depositContext(claims: ReceiptClaims): DepositContext {
    return {
      transfers: ownTransfers([...this.transfers.values()]),
      bookedTransfers: this.bookedTransfers,
      claims,
      parties: new Map(),
      isSettled: () => false,
    };
  }
}

/**
 * Facts in the order of the deposits, which may come in windows; deposits of one group of `ReceiptClaims` must come
 * together. `posted`: their entries so far.
 */
export function deriveDeposits(
  deposits: readonly ObservedDeposit[],
  context: DepositContext,
  posted: readonly JournalEntry[],
  policy: LedgerPolicy,
): Derived {
  const live = [...liveEntries(posted).values()];
  const bookedOf = Map.groupBy(live, ({ sourceId }) => sourceId);
  const derived = joinDerived(
    deposits.map((deposit) => deriveDeposit(deposit, context, bookedOf.get(deposit.depositId) ?? [], policy)),
  );
  return { ...derived, replaced: replacedIn(derived.facts, live, context.claims) };
}

/**
 * The entries of receipts that their deposits no longer list, or list only as duplicates, and the facts in their
 * place.
 */
function replacedIn(
  facts: readonly Fact[],
  live: readonly JournalEntry[],
  claims: ReceiptClaims,
): readonly Replaced[] {
  const factIds = new Set(facts.map(({ factId }) => factId));
  const open = facts.filter((fact) => fact.kind === "deposit-receipt");
  return live.flatMap((entry) => {
    const receipt = factIds.has(entry.factId) ? undefined : bookedReceipt(entry);
    if (receipt === undefined) return [];
    const place = open.findIndex(
      ({ depositId, factId, part }) =>
        claims.handsOver(entry.sourceId as DepositId, depositId) &&
        isSameBooking(receipt, {
          key: receiptKeyIn(factId, depositId),
          txHash: part.txHash,
          amount: part.quantity,
        }),
    );
    const [by] = place < 0 ? [] : open.splice(place, 1);
    return by === undefined ? [] : [{ factId: entry.factId, by: by.factId }];
  });
}

/** The address of a deposit in comparable form; undefined if it shows none. */
export function receivingAddress({ receiverAddress }: ObservedDeposit): string | undefined {
  return receiverAddress ? comparableDestination(receiverAddress) : undefined;
}

/**
 * Under `batchFee: wholeTransaction`: which of the payouts that share a transaction carries its fee. The lowest id
 * of those that show one does, so pass the payouts in the order of their ids, in windows.
 */
class FeeBearers {
  private readonly byTxHash = new Map<string, PayoutId>();

  /**
   * The payouts whose displayed fee another payout books. Left out are payouts whose payee bears the fee, because
   * they book none, and payouts that show no fee, because they cannot carry it.
   */
  withoutOwnFee(payouts: readonly ObservedPayout[]): ReadonlySet<PayoutId> {
    const without = new Set<PayoutId>();
    const candidates = payouts.filter((payout) => !payout.subtractFee);
    for (const payout of candidates.toSorted((a, b) => (a.payoutId < b.payoutId ? -1 : 1))) {
      for (const { txHash, fee } of payout.sentFunds) {
        if (txHash === undefined || fee === undefined || fee.value.isZero()) continue;
        const bearer = this.byTxHash.get(txHash) ?? payout.payoutId;
        this.byTxHash.set(txHash, bearer);
        if (bearer !== payout.payoutId) without.add(payout.payoutId);
      }
    }
    return without;
  }
}
