/** A payout of ours ended without paying. Where it names a transaction all the same, or was seen to have left, it may have. */
import { payoutStateMeaning } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { hasTransaction } from "../sent-funds.ts";
import { describePayout, printable, quoted } from "../wording.ts";

interface Failed extends Finding, Match {
  /** What says that it left all the same, in words. */
  readonly contradiction: string | undefined;
}

export const failedBreak = breakKind<Failed>({
  kind: "failed",
  severity: ({ contradiction }) => (contradiction === undefined ? "warning" : "alarm"),
  *detect({ matches, departures, paidAgain }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      if (payoutStateMeaning(payout.state) !== "failed") continue;
      const sent = payout.sentFunds.find(hasTransaction);
      const named = sent && `names the transaction ${sent.txHash ?? sent.transactionId}`;
      const contradiction = named ?? departures.get(payout.payoutId);
      // Whether the payee is paid is told of the payment that pays it again.
      if (contradiction === undefined && paidAgain.has(instruction.id)) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        contradiction,
        field: "payoutState",
        found: payout.state,
      };
    }
  },
  sentence: ({ instruction, payout, contradiction }) =>
    contradiction === undefined
      ? `${describePayout(payout)} ended ${payout.state}: the payee was not paid by it; \`paydrop pay again ${quoted(instruction.fields.reference)} --reason WHY\` pays once more.`
      : `${describePayout(payout)} ended ${payout.state}, yet ${printable(contradiction)}: it may have been paid.`,
});
