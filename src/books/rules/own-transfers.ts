/**
 * The receiving side of transfers between our own custody accounts. The payout books the transfer, so the deposit
 * that reports the same movement must not. Receipts that may belong to a transfer are held until its movement is
 * known.
 */
import {
  arrivedBy,
  type CustodyAccountId,
  comparableDestination,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  sameDestination,
  transactionsOf,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Amount, Decimal, sameAmount } from "../../money/index.ts";
import type { LedgerPolicy } from "./policy.ts";
import { sentAmounts } from "./sent-amounts.ts";

/** The transfer that a receipt belongs to. `unclear`: why it only may belong to it, as a sentence. */
export type OwnTransfers = (
  deposit: ObservedDeposit,
  funds: ObservedFunds,
) => { readonly payoutId: PayoutId; readonly unclear?: string } | undefined;

/**
 * Matches receipts to own transfers (as `PayoutDerivation` has noted them) by transaction, receiving account,
 * amount, and address if both show one.
 */
export function ownTransfers(transfers: readonly ObservedPayout[]): OwnTransfers {
  const sent = transfers.flatMap((payout) =>
    broughtBy(payout, payout.sentFunds).flatMap(({ sent, net }) =>
      transactionsOf(sent).map((id) => ({ id, payout, net })),
    ),
  );
  const byTransaction = Map.groupBy(sent, ({ id }) => id);
  const byAccount = Map.groupBy(transfers, ({ destinationAccountId }) => destinationAccountId);
  return (deposit, funds) => {
    const sameTransaction = transactionsOf(funds).flatMap((id) => {
      const ofDeposit = (byTransaction.get(id) ?? []).filter(({ payout }) => fits(payout, deposit));
      return [...Map.groupBy(ofDeposit, ({ payout }) => payout)];
    });
    const exact = sameTransaction.find(([, movements]) => areReceived(movements, funds));
    if (exact !== undefined) return { payoutId: exact[0].payoutId };
    const [payoutId] = sameTransaction.map(([payout]) => payout.payoutId);
    if (payoutId !== undefined)
      return { payoutId, unclear: `it shares the transaction of own transfer ${payoutId}, not its amount` };
    const ofAccount = byAccount.get(deposit.custodyAccountId) ?? [];
    const open = ofAccount.find((payout) => mayBeReceived(payout, funds) && fits(payout, deposit));
    return open && { payoutId: open.payoutId, unclear: openInWords(open) };
  };
}

function openInWords({ payoutId, state }: ObservedPayout): string {
  return (
    `it may be the receiving side of own transfer ${payoutId}, which is ${state} and shows no transaction to ` +
    `compare it by`
  );
}

export function isOwn(id: CustodyAccountId | undefined, policy: LedgerPolicy): id is CustodyAccountId {
  return id !== undefined && policy.custodyAccounts.some((own) => own.id === id);
}

/** Whether a payout goes, or may have gone, to one of our custody accounts. */
export function isTransfer(payout: ObservedPayout, policy: LedgerPolicy): boolean {
  return isOwn(payout.destinationAccountId, policy) && payoutStateMeaning(payout.state) !== "failed";
}

/**
 * The custody accounts of deposits by their addresses in comparable form. Payouts do not show who owns an address.
 */
export type ReceivingAccounts = ReadonlyMap<string, CustodyAccountId>;

/** The payout with the custody account that its address belongs to, if it shows none itself. */
export function withReceivingAccount(payout: ObservedPayout, accounts: ReceivingAccounts): ObservedPayout {
  const account = accounts.get(comparableDestination(payout.destinationAddress ?? ""));
  return { ...present({ destinationAccountId: account }), ...payout };
}

function fits(payout: ObservedPayout, deposit: ObservedDeposit): boolean {
  const { destinationAddress: sentTo } = payout;
  const { receiverAddress: receivedAt } = deposit;
  const addressesAgree =
    sentTo === undefined || receivedAt === undefined || sameDestination(sentTo, receivedAt);
  return payout.destinationAccountId === deposit.custodyAccountId && addressesAgree;
}

/** Whether the receipt is what one of a transfer's movements in a transaction brought, or all of them together. */
function areReceived(
  movements: readonly { readonly net: Amount | undefined }[],
  received: ObservedFunds,
): boolean {
  const parts = movements.flatMap(({ net }) => net ?? []);
  const [first] = parts;
  const together = first && { ...first, value: Decimal.sum(parts.map(({ value }) => value)) };
  return [...parts, together].some((net) => isReceived(net, received));
}

/** What each of the movements brought; without `net` if its figures fit the request neither alone nor together. */
function broughtBy(payout: ObservedPayout, funds: readonly ObservedFunds[]) {
  const together = arrivedBy(payout, funds);
  return funds.map((sent, index) => ({ sent, net: together?.[index] ?? netOf(payout, sent) }));
}

/** Whether this may be the movement of a transfer that shows no transaction to compare. */
function mayBeReceived(payout: ObservedPayout, received: ObservedFunds): boolean {
  const arrivedAt = received.confirmedAt ?? received.createdAt;
  if (payout.createdAt !== undefined && arrivedAt !== undefined && arrivedAt < payout.createdAt) return false;
  const isSent = payout.state === "SENT" || payout.state === "COMPLETED";
  const settled = payout.sentFunds.filter(({ confirmedAt }) => isSent && confirmedAt !== undefined);
  return settled.length === 0
    ? isWithin(payout, received)
    : broughtBy(payout, settled).some(
        ({ sent, net }) => !areComparable(sent, received) && isReceived(net, received),
      );
}

function areComparable(left: ObservedFunds, right: ObservedFunds): boolean {
  const haveBoth = (id: "txHash" | "transactionId") => left[id] !== undefined && right[id] !== undefined;
  return haveBoth("txHash") || haveBoth("transactionId");
}

function netOf(payout: ObservedPayout, sent: ObservedFunds): Amount | undefined {
  const amounts = sentAmounts(payout, sent);
  return typeof amounts === "string" ? undefined : amounts.net;
}

function isReceived(net: Amount | undefined, { amount }: ObservedFunds): boolean {
  return net !== undefined && amount !== undefined && sameAmount(net, amount);
}

/**
 * Assumes an unknown fee below half of the amount. If it is higher, the receipt is booked first and reversed when
 * the fee is known.
 */
function isWithin({ requestedAmount, subtractFee }: ObservedPayout, { amount }: ObservedFunds): boolean {
  if (amount === undefined || subtractFee === false || amount.value.compare(requestedAmount.value) >= 0)
    return amount !== undefined && sameAmount(requestedAmount, amount);
  const isMost = amount.value.plus(amount.value).compare(requestedAmount.value) > 0;
  return amount.currency === requestedAmount.currency && isMost;
}
