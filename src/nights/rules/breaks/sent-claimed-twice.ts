/** Payouts that list one movement, as long as the balance does not show that money left for each of them. */
import type { BalanceProofRow } from "../../../model/index.ts";
import { describePayout, printable, shortened, sumText } from "../wording.ts";
import { aboutPayout, type BreakContext, type BreakRule, type ClaimedPayout } from "./break-rule.ts";

/** Neither is booked meanwhile, except what was booked before the other one showed. */
export const sentClaimedTwiceRule: BreakRule = {
  kind: "sent-claimed-twice",
  severity: "warning",
  find: ({ claimedPayouts, balanceProof }) => {
    const untold = claimedPayouts.filter((claimed) => !isToldApart(claimed, balanceProof));
    const ids = new Set(untold.map(({ payout }) => payout.payoutId));
    // One break for all: the others would say the same.
    const first = untold.filter(
      ({ payout, others }) => !others.some((other) => ids.has(other) && other < payout.payoutId),
    );
    return first.map((claimed) => findingIn(claimed, balanceProof));
  },
};

/** Whether the balance of each account ties with each of the payouts counted. */
export function isToldApart(
  { payout, isInOpening }: ClaimedPayout,
  balanceProof: BreakContext["balanceProof"],
): boolean {
  if (isInOpening) return false;
  return rowOf(payout.custodyAccountId, balanceProof)?.ties === true && !leftOnce(payout, balanceProof);
}

/** Whether the paying account, or an own one that is paid, ties only if the movement counts once. */
function leftOnce(
  { custodyAccountId, destinationAccountId }: ClaimedPayout["payout"],
  balanceProof: BreakContext["balanceProof"],
): boolean {
  return [custodyAccountId, destinationAccountId].some((id) => rowOf(id, balanceProof)?.countsOnce === true);
}

function findingIn({ payout, others }: ClaimedPayout, balanceProof: BreakContext["balanceProof"]) {
  const [funds] = payout.sentFunds;
  const transaction = printable(funds?.txHash ?? funds?.transactionId ?? "");
  const once = leftOnce(payout, balanceProof);
  return aboutPayout(payout, undefined, {
    field: "sentFunds",
    // So that a decision made before the balance showed this is asked for again.
    ...(once && { expected: "listed once" }),
    found: others.join(", "),
    sentence:
      `${describePayout(payout)} and payout${others.length > 1 ? "s" : ""} ` +
      `${others.map(shortened).join(", ")} list ${sumText(payout.sentFunds)} in ${transaction}, to the ` +
      `same destination. ${once ? LEFT_ONCE : UNKNOWN} What is not booked yet is held. Ask the service's ` +
      `operator what the transaction paid. Then end the one that it did not pay by \`paydrop ledger settle\`, ` +
      `and the other one is booked.${once ? "" : EACH}`,
  });
}

const LEFT_ONCE = "By the account's balance the money left once.";
const UNKNOWN = "No balance shows whether the money left for each.";
const EACH = " If it paid each, settle this: each is booked.";

function rowOf(custodyAccountId: string | undefined, balanceProof: readonly BalanceProofRow[]) {
  return balanceProof.find((row) => row.custodyAccountId === custodyAccountId);
}
