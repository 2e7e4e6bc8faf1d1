/**
 * The receiving side of transfers between our own custody accounts. The payout books the transfer, so the deposit that
 * reports the same movement must not. A payout to an address is never a transfer, whoever owns the address.
 */
import {
  type CustodyAccountId,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  payoutStateMeaning,
} from "../model/index.ts";
import { sameAmount } from "../money/index.ts";
import type { LedgerPolicy } from "./policy.ts";
import { sentAmounts } from "./sent-amounts.ts";

/** booked: by that payout. unclear: the transaction is that payout's, but the amount differs. none: not a transfer. */
export type ReceivingSide =
  | { readonly kind: "booked" | "unclear"; readonly payoutId: string }
  | { readonly kind: "none" };

export type OwnTransfers = (deposit: ObservedDeposit, funds: ObservedFunds) => ReceivingSide;

/**
 * Matches receipts to own transfers (as `PayoutDerivation` has noted them) by transaction, receiving account, amount, and
 * address if both show one.
 */
export function ownTransfers(transfers: readonly ObservedPayout[]): OwnTransfers {
  const sent = transfers.flatMap((payout) => payout.sentFunds.map(({ txHash }) => ({ txHash, payout })));
  const byTxHash = Map.groupBy(sent, ({ txHash }) => txHash);
  return (deposit, funds) => {
    const sameTransaction = funds.txHash === undefined ? [] : (byTxHash.get(funds.txHash) ?? []);
    const candidates = sameTransaction.map(({ payout }) => payout).filter((payout) => fits(payout, deposit));
    const exact = candidates.find((payout) => sentAsReceived(payout, funds));
    const found = exact ?? candidates[0];
    if (found === undefined) return { kind: "none" };
    return { kind: exact === undefined ? "unclear" : "booked", payoutId: found.payoutId };
  };
}

export function isOwn(id: CustodyAccountId | undefined, policy: LedgerPolicy): id is CustodyAccountId {
  return id !== undefined && policy.custodyAccounts.some((own) => own.id === id);
}

/** Whether a payout goes, or may have gone, to one of our custody accounts. */
export function isTransfer(payout: ObservedPayout, policy: LedgerPolicy): boolean {
  return isOwn(payout.destinationAccountId, policy) && payoutStateMeaning(payout.state) !== "failed";
}

function fits(payout: ObservedPayout, deposit: ObservedDeposit): boolean {
  const { destinationAddress: sentTo } = payout;
  const { receiverAddress: receivedAt } = deposit;
  const addressesAgree = sentTo === undefined || receivedAt === undefined || sentTo === receivedAt;
  return payout.destinationAccountId === deposit.custodyAccountId && addressesAgree;
}

function sentAsReceived(payout: ObservedPayout, received: ObservedFunds): boolean {
  return payout.sentFunds.some((sent) => {
    if (sent.txHash !== received.txHash || received.amount === undefined) return false;
    const amounts = sentAmounts(payout, sent);
    return typeof amounts !== "string" && sameAmount(amounts.net, received.amount);
  });
}
