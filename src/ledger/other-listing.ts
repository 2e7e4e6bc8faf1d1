/**
 * Receipts that two deposits list although neither says that it duplicates the other. The money came once, and nobody can tell for which
 * of them, so neither books it.
 */
import type { DepositId, ObservedDeposit, ObservedFunds } from "../model/index.ts";
import { sameAmount } from "../money/index.ts";

/** The deposit that lists the same movement; undefined where there is none. */
export type OtherListing = (deposit: ObservedDeposit, funds: ObservedFunds) => DepositId | undefined;

/** The same movement: all that names it, its amount and its custody account agree. A transaction alone may have several outputs. */
export function otherListings(deposits: readonly ObservedDeposit[]): OtherListing {
  const listing = new Map<string, ObservedDeposit[]>();
  for (const deposit of deposits)
    for (const { transactionId } of deposit.receivedFunds)
      if (transactionId !== undefined)
        listing.set(transactionId, [...(listing.get(transactionId) ?? []), deposit]);
  return (deposit, funds) =>
    listing
      .get(funds.transactionId ?? "")
      ?.find(
        (other) =>
          other.depositId !== deposit.depositId &&
          other.custodyAccountId === deposit.custodyAccountId &&
          other.duplicatedFromDepositId !== deposit.depositId &&
          deposit.duplicatedFromDepositId !== other.depositId &&
          other.receivedFunds.some((listed) => isSame(listed, funds)),
      )?.depositId;
}

function isSame(left: ObservedFunds, right: ObservedFunds): boolean {
  return (
    left.transactionId === right.transactionId &&
    left.txHash === right.txHash &&
    left.amount !== undefined &&
    right.amount !== undefined &&
    sameAmount(left.amount, right.amount)
  );
}
