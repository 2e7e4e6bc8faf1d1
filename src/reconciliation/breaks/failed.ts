/** A payout of ours ended without paying. Where it names a transaction all the same, money may have left. */
import { payoutStateMeaning } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { hasTransaction } from "../sent-funds.ts";
import { describePayout } from "../wording.ts";

interface Failed extends Finding, Match {
  readonly transaction: string | undefined;
}

export const failedBreak = breakKind<Failed>({
  kind: "failed",
  severity: ({ transaction }) => (transaction === undefined ? "warning" : "alarm"),
  *detect({ matches }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      if (payoutStateMeaning(payout.state) !== "failed") continue;
      const sent = payout.sentFunds.find(hasTransaction);
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        transaction: sent?.txHash ?? sent?.transactionId,
        field: "payoutState",
        found: payout.state,
      };
    }
  },
  sentence: ({ payout, transaction }) =>
    transaction === undefined
      ? `${describePayout(payout)} ended ${payout.state}: the payee was not paid by it.`
      : `${describePayout(payout)} ended ${payout.state}, yet names the transaction ${transaction}: it may have been paid.`,
});
