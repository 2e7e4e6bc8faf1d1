/** Receipts that other deposits also list, or listed before: the money came once, and counts once. */
import type { ReceiptClaim } from "../../../model/index.ts";
import type { ComparedDeposit } from "../reconciliation.ts";
import { describeDeposit, nameDeposit, printable, sumText } from "../wording.ts";
import { type BreakRule, type Difference, inDeposits, sumOf } from "./break-rule.ts";

export const RECEIPT_RULES: readonly BreakRule[] = [
  /** Neither deposit books them, because it is unknown whose they are. */
  claimRule(
    "twice",
    "receipt-claimed-twice",
    (deposit, { receipts, other }) =>
      `${describeDeposit(deposit)} and ${nameDeposit(other)} both list ${receipts}, and it is ` +
      `unclear whose it is. It counts once in the balance proof, and neither deposit books it. Ask ` +
      `the service's operator which deposit it belongs to. Then end the other one's by \`paydrop ledger settle\`: ` +
      `the receipt is then booked.`,
  ),
  /** The entries follow: those booked for the other deposit are reversed and booked for this one. */
  claimRule(
    "moved",
    "receipt-moved",
    (deposit, { receipts, other }) =>
      `${describeDeposit(deposit)} now lists ${receipts}, which ${nameDeposit(other)} listed before. ` +
      `It is the same money: it counts once, and is booked for the deposit that lists it now. Check ` +
      `whose order it pays, then settle this.`,
  ),
  claimRule(
    "duplicate",
    "deposit-duplicated",
    (deposit, { receipts, other }) =>
      `${describeDeposit(deposit)} is a duplicate of ${nameDeposit(other)}, and both list ` +
      `${receipts}. It is the same money: it counts once, and is booked for the original. Check that ` +
      `the order was not served twice, then settle this.`,
  ),
];

interface Claimed {
  /** "the receipt of 0.007 BTC in 4f2c..." */
  readonly receipts: string;
  readonly other: ReceiptClaim["other"]["deposit"];
}

/** One break per other deposit, for all receipts that they share. */
function claimRule(
  of: ReceiptClaim["kind"],
  kind: BreakRule["kind"],
  sentenceOf: (deposit: ComparedDeposit, claimed: Claimed) => string,
): BreakRule {
  return {
    kind,
    severity: "warning",
    find: inDeposits((deposit) => {
      const claimed = deposit.receivedFunds.flatMap((funds, index) => {
        const claim = deposit.claims?.[index];
        if (claim?.kind !== of) return [];
        const others = of === "twice" ? (claim.others ?? [claim.other]) : [claim.other];
        // One break for both: the other deposit would say the same.
        if (of === "twice" && others.some((other) => other.deposit.depositId < deposit.depositId)) return [];
        return others.map((other) => ({ funds, other: other.deposit }));
      });
      const byOther = Map.groupBy(claimed, ({ other }) => other);
      return [...byOther].map(([other, rows]): Difference => {
        const funds = rows.map((row) => row.funds);
        const sentence = sentenceOf(deposit, { receipts: receiptsText(funds), other });
        const found = `${sumText(funds)} in ${deposit.depositId}`;
        const expected = other.depositId;
        return { part: expected, field: "receivedFunds", expected, found, amount: sumOf(funds), sentence };
      });
    }),
  };
}

function receiptsText(funds: ComparedDeposit["receivedFunds"]): string {
  const [first] = funds;
  if (funds.length > 1 || first === undefined)
    return `${funds.length} receipts of ${sumText(funds)} together`;
  return `the receipt of ${sumText(funds)} in ${printable(first.txHash ?? first.transactionId ?? "")}`;
}
