/**
 * The receiving side of transfers between our own custody accounts. The payout books the transfer, so the deposit that
 * reports the same movement must not. While it cannot be known which movement is the transfer's, receipts that may be
 * it are held.
 */
import {
  type CustodyAccountId,
  comparableDestination,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  payoutStateMeaning,
  sameDestination,
} from "../model/index.ts";
import { type Amount, Decimal, sameAmount } from "../money/index.ts";
import type { LedgerPolicy } from "./policy.ts";
import { sentAmounts } from "./sent-amounts.ts";

/**
 * booked: by that payout. unclear: the transaction is that payout's, but the amount differs. open: it may be that
 * payout's, of which no transaction is known that could be compared. none: not a transfer.
 */
export type ReceivingSide =
  | { readonly kind: "booked" | "unclear" | "open"; readonly payout: ObservedPayout }
  | { readonly kind: "none" };

export type OwnTransfers = (deposit: ObservedDeposit, funds: ObservedFunds) => ReceivingSide;

/**
 * Matches receipts to own transfers (as `PayoutDerivation` has noted them) by transaction, receiving account, amount, and
 * address if both show one.
 */
export function ownTransfers(transfers: readonly ObservedPayout[]): OwnTransfers {
  const sent = transfers.flatMap((payout) =>
    payout.sentFunds.flatMap((funds) => transactionsOf(funds).map((id) => ({ id, payout }))),
  );
  const byTransaction = Map.groupBy(sent, ({ id }) => id);
  const comparableWithNone = transfers.filter((payout) => !settledFunds(payout).some(hasEveryId));
  const byAccount = Map.groupBy(comparableWithNone, ({ destinationAccountId }) => destinationAccountId);
  return (deposit, funds) => {
    const sameTransaction = transactionsOf(funds)
      .flatMap((id) => byTransaction.get(id) ?? [])
      .map(({ payout }) => payout)
      .filter((payout) => fits(payout, deposit));
    const exact = sameTransaction.find((payout) => sentAsReceived(payout, funds));
    if (exact !== undefined) return { kind: "booked", payout: exact };
    const [unclear] = sameTransaction;
    if (unclear !== undefined) return { kind: "unclear", payout: unclear };
    const open = byAccount
      .get(deposit.custodyAccountId)
      ?.find((payout) => mayBeReceived(payout, funds) && fits(payout, deposit));
    return open === undefined ? { kind: "none" } : { kind: "open", payout: open };
  };
}

export function isOwn(id: CustodyAccountId | undefined, policy: LedgerPolicy): id is CustodyAccountId {
  return id !== undefined && policy.custodyAccounts.some((own) => own.id === id);
}

/** Whether a payout goes, or may have gone, to one of our custody accounts. */
export function isTransfer(payout: ObservedPayout, policy: LedgerPolicy): boolean {
  return isOwn(payout.destinationAccountId, policy) && payoutStateMeaning(payout.state) !== "failed";
}

/** The custody accounts of deposits by their addresses in comparable form: who owns an address, no payout shows. */
export type ReceivingAccounts = ReadonlyMap<string, CustodyAccountId>;

/** The payout with the custody account to which its address belongs, where it shows none. */
export function withReceivingAccount(payout: ObservedPayout, accounts: ReceivingAccounts): ObservedPayout {
  const { destinationAccountId, destinationAddress } = payout;
  const account = destinationAddress && accounts.get(comparableDestination(destinationAddress));
  return destinationAccountId !== undefined || account === undefined
    ? payout
    : { ...payout, destinationAccountId: account as CustodyAccountId };
}

function transactionsOf({ txHash, transactionId }: ObservedFunds): string[] {
  return [
    ...(txHash === undefined ? [] : [`hash ${txHash}`]),
    ...(transactionId === undefined ? [] : [`id ${transactionId}`]),
  ];
}

function fits(payout: ObservedPayout, deposit: ObservedDeposit): boolean {
  const { destinationAddress: sentTo } = payout;
  const { receiverAddress: receivedAt } = deposit;
  const addressesAgree =
    sentTo === undefined || receivedAt === undefined || sameDestination(sentTo, receivedAt);
  return payout.destinationAccountId === deposit.custodyAccountId && addressesAgree;
}

function sentAsReceived(payout: ObservedPayout, received: ObservedFunds): boolean {
  const ids = transactionsOf(received);
  return payout.sentFunds.some((sent) => {
    const amounts = sentAmounts(payout, sent);
    if (typeof amounts === "string" || received.amount === undefined) return false;
    return transactionsOf(sent).some((id) => ids.includes(id)) && sameAmount(amounts.net, received.amount);
  });
}

/** Whether this may be the movement of a transfer that shows no transaction to compare it by. */
function mayBeReceived(payout: ObservedPayout, received: ObservedFunds): boolean {
  const arrivedAt = received.confirmedAt ?? received.createdAt;
  if (payout.createdAt !== undefined && arrivedAt !== undefined && arrivedAt < payout.createdAt) return false;
  const settled = settledFunds(payout);
  if (settled.length === 0) return isWithin(payout, received.amount);
  return settled.some((sent) => !areComparable(sent, received) && isAmountOf(payout, sent, received.amount));
}

function settledFunds({ state, sentFunds }: ObservedPayout): readonly ObservedFunds[] {
  const isSent = state === "SENT" || state === "COMPLETED";
  return sentFunds.filter(({ confirmedAt }) => isSent && confirmedAt !== undefined);
}

function hasEveryId({ txHash, transactionId }: ObservedFunds): boolean {
  return txHash !== undefined && transactionId !== undefined;
}

function areComparable(left: ObservedFunds, right: ObservedFunds): boolean {
  const haveBoth = (member: "txHash" | "transactionId") =>
    left[member] !== undefined && right[member] !== undefined;
  return haveBoth("txHash") || haveBoth("transactionId");
}

function isAmountOf(payout: ObservedPayout, sent: ObservedFunds, received: Amount | undefined): boolean {
  const amounts = sentAmounts(payout, sent);
  if (typeof amounts === "string") return isWithin(payout, received);
  return received !== undefined && sameAmount(amounts.net, received);
}

const TWO = Decimal.of("2");

/**
 * A fee that the transfer bears itself is not known before it is sent, but taken to be less than half of it; should it be
 * more, the receipt is booked, and reversed once it is known.
 */
function isWithin({ requestedAmount, subtractFee }: ObservedPayout, received: Amount | undefined): boolean {
  if (received === undefined || received.currency !== requestedAmount.currency) return false;
  const order = received.value.compare(requestedAmount.value);
  const mayBearFee = subtractFee !== false && received.value.times(TWO).compare(requestedAmount.value) > 0;
  return order === 0 || (order < 0 && mayBearFee);
}
