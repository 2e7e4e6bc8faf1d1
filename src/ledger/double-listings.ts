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
    deposit.receivedFunds.map((listed) => ({ listed, deposit })),
  );
  const byTransactionId = Map.groupBy(listings, ({ listed }) => listed.transactionId);
  return (deposit, { transactionId, txHash, amount }) => {
    if (transactionId === undefined || amount === undefined) return undefined;
    const same = byTransactionId
      .get(transactionId)
      ?.find(
        ({ listed, deposit: other }) =>
          other.depositId !== deposit.depositId &&
          other.custodyAccountId === deposit.custodyAccountId &&
          other.duplicatedFromDepositId !== deposit.depositId &&
          deposit.duplicatedFromDepositId !== other.depositId &&
          listed.txHash === txHash &&
          listed.amount !== undefined &&
          sameAmount(listed.amount, amount),
      );
    return same?.deposit.depositId;
  };
}
