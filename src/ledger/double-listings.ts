/**
 * Receipts that two deposits list although neither is marked as a duplicate of the other. The money came once and
 * nobody can tell to which of them it belongs, so neither books it.
 */
import type { DepositId, ObservedDeposit, ObservedFunds } from "../model/index.ts";
import { sameAmount } from "../money/index.ts";

/** The other deposit that lists the same movement, if any. */
export type DoubleListings = (deposit: ObservedDeposit, funds: ObservedFunds) => DepositId | undefined;

/** Ids, amount and custody account must agree; the transaction alone may have several outputs. */
export function doubleListings(deposits: readonly ObservedDeposit[]): DoubleListings {
  const listings = deposits.flatMap((deposit) =>
    deposit.receivedFunds.map(({ transactionId }) => ({ transactionId, deposit })),
  );
  const byTransactionId = Map.groupBy(listings, ({ transactionId }) => transactionId);
  return (deposit, funds) =>
    byTransactionId
      .get(funds.transactionId)
      ?.find(
        ({ deposit: other }) =>
          funds.transactionId !== undefined &&
          other.depositId !== deposit.depositId &&
          other.custodyAccountId === deposit.custodyAccountId &&
          other.duplicatedFromDepositId !== deposit.depositId &&
          deposit.duplicatedFromDepositId !== other.depositId &&
          other.receivedFunds.some((listed) => isSame(listed, funds)),
      )?.deposit.depositId;
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
