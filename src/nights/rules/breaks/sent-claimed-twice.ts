/** Payouts that list one movement, as long as the balance does not show that money left for each of them. */
import type { BalanceProofRow } from "../../../model/index.ts";
import { describePayout, printable, shortened, sumText } from "../wording.ts";
import { aboutPayout, type BreakContext, type BreakRule, type ClaimedPayout } from "./break-rule.ts";

/** Neither is booked meanwhile, except what was booked before the other one showed. */
export const sentClaimedTwiceRule: BreakRule = {
  kind: "sent-claimed-twice",
  severity: "warning",
  find: ({ claimedPayouts, balanceProof }) => {
    const untold = claimedPayouts.filter(({ payout }) => !isToldApart(payout, balanceProof));
    const ids = new Set(untold.map(({ payout }) => payout.payoutId));
    // One break for all: the others would say the same.
    const first = untold.filter(
      ({ payout, others }) => !others.some((other) => ids.has(other) && other < payout.payoutId),
    );
    return first.map((claimed) => findingIn(claimed, balanceProof));
  },
};

/** Whether the account's balance ties with each of the payouts counted. */
export function isToldApart(
  { custodyAccountId }: ClaimedPayout["payout"],
  balanceProof: BreakContext["balanceProof"],
): boolean {
  const row = rowOf(custodyAccountId, balanceProof);
  return row?.ties === true && row.countsOnce !== true;
}

function findingIn({ payout, others }: ClaimedPayout, balanceProof: BreakContext["balanceProof"]) {
  const [funds] = payout.sentFunds;
  const transaction = printable(funds?.txHash ?? funds?.transactionId ?? "");
  const leftOnce = rowOf(payout.custodyAccountId, balanceProof)?.countsOnce === true;
  return aboutPayout(payout, undefined, {
    field: "sentFunds",
    found: others.join(", "),
    sentence:
      `${describePayout(payout)} and payout${others.length > 1 ? "s" : ""} ` +
      `${others.map(shortened).join(", ")} list ${sumText(payout.sentFunds)} in ${transaction}, to the ` +
      `same destination. ${leftOnce ? LEFT_ONCE : UNKNOWN} What is not booked yet is held. Ask the service's ` +
      "operator what the transaction paid.",
  });
}

const LEFT_ONCE = "By the account's balance the money left once.";
const UNKNOWN = "The account's balance does not tie, so it does not show whether the money left for each.";

function rowOf(custodyAccountId: string, balanceProof: readonly BalanceProofRow[]) {
  return balanceProof.find((row) => row.custodyAccountId === custodyAccountId);
}
