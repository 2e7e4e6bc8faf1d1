/** The payout's requestedAmount is another figure than the row's. Compared by value: 0.50 is 0.5. */
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { amountText, describeInstruction, describePayout } from "../wording.ts";

export const amountBreak = breakKind<Finding & Match>({
  kind: "amount",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of comparable(matches)) {
      const { instruction, payout } = match;
      const expected = instruction.fields.amount.value;
      const found = payout.requestedAmount.value;
      if (expected.equals(found)) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        field: "requestedAmount",
        expected: expected.normalized().toString(),
        found: found.normalized().toString(),
      };
    }
  },
  sentence: ({ instruction, payout }) =>
    `${describePayout(payout)} pays ${amountText(payout.requestedAmount)}, but ${describeInstruction(instruction)} asked for ${amountText(instruction.fields.amount)}.`,
});
