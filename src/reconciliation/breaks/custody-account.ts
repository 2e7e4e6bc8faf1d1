/** The payout draws on another custody account than the row says. */
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { custodyName, describeInstruction, describePayout } from "../wording.ts";

interface CustodyAccountFinding extends Finding, Match {
  /** "treasury-btc" */
  readonly paidFrom: string;
  readonly askedFor: string;
}

export const custodyAccountBreak = breakKind<CustodyAccountFinding>({
  kind: "custody-account",
  severity: "alarm",
  *detect({ matches, policy }) {
    for (const match of comparable(matches)) {
      const { instruction, payout } = match;
      const expected = instruction.fields.custodyAccountId;
      const found = payout.custodyAccountId;
      if (expected === found) continue;
      const names = {
        paidFrom: custodyName(found, policy),
        askedFor: custodyName(expected, policy),
      };
      yield { ...aboutPayout(payout, instruction), ...match, ...names, field: "accountId", expected, found };
    }
  },
  sentence: ({ instruction, payout, paidFrom, askedFor }) =>
    `${describePayout(payout)} is paid from custody account ${paidFrom}, but ${describeInstruction(instruction)} asked for ${askedFor}.`,
});
