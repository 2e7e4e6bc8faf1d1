/** The payout draws on another custody account than the row says. */
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeInstruction, describePayout } from "../wording.ts";

export const custodyAccountBreak = breakKind<Finding & Match>({
  kind: "custody-account",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of comparable(matches)) {
      const { instruction, payout } = match;
      const expected = instruction.fields.custodyAccountId;
      const found = payout.custodyAccountId;
      if (expected !== found)
        yield { ...aboutPayout(payout, instruction), ...match, field: "accountId", expected, found };
    }
  },
  sentence: ({ instruction, payout }) =>
    `${describePayout(payout)} is paid from custody account ${payout.custodyAccountId}, but ${describeInstruction(instruction)} asked for ${instruction.fields.custodyAccountId}.`,
});
