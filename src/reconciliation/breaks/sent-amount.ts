/** What the service says it sent does not fit what was requested, or a completed payout shows nothing sent. */
import { payoutStateMeaning } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { type SentFigures, sentFigures } from "../sent-funds.ts";
import { amountText, describePayout } from "../wording.ts";

interface SentAmount extends Finding, Match {
  readonly figures: SentFigures | undefined;
}

export const sentAmountBreak = breakKind<SentAmount>({
  kind: "sent-amount",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      const figures = sentFigures(payout);
      const fits = figures?.fits ?? payoutStateMeaning(payout.state) !== "done";
      if (fits) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        figures,
        field: "sentFunds.amount",
        expected: payout.requestedAmount.value.normalized().toString(),
        found: figures?.net.normalized().toString() ?? "",
      };
    }
  },
  sentence: ({ payout, figures }) => {
    if (figures === undefined)
      return `${describePayout(payout)} is ${payout.state}, but the service shows nothing sent.`;
    const { currency } = payout.requestedAmount;
    const amount = amountText({ currency, value: figures.net });
    const fee = amountText({ currency, value: figures.fee });
    const rule = payout.subtractFee ? "the fee is to be taken off the amount" : "the fee comes on top";
    return `${describePayout(payout)} sent ${amount} with a fee of ${fee}, which does not fit ${amountText(payout.requestedAmount)} where ${rule}.`;
  },
});
