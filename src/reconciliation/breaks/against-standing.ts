/** A payout exists for an instruction that must not have one: it was refused, given up, withdrawn, held or never sent. */
import { type Instruction, mayBeAccepted, type ObservedPayout, type Standing } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { acceptCommand, describeInstruction, describePayout } from "../wording.ts";

/** A payout is not sure for "sending" and "in doubt", but it is no surprise: execution takes it in. */
const MAY_HAVE_PAYOUT: ReadonlySet<Standing> = new Set(["accepted", "sending", "in doubt"]);

export const againstStandingBreak = breakKind<Finding & Match>({
  kind: "against-standing",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      if (MAY_HAVE_PAYOUT.has(instruction.standing)) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        field: "standing",
        expected: instruction.standing,
        found: payout.state,
      };
    }
  },
  sentence: ({ instruction, payout }) =>
    `${describePayout(payout)} exists at the service, although ${describeInstruction(instruction)} is ${instruction.standing}.${wayOut(instruction, payout)}`,
});

function wayOut({ standing, fields }: Instruction, { payoutId }: ObservedPayout): string {
  if (!mayBeAccepted(standing)) return "";
  return ` Where it is this payment, ${acceptCommand(fields.reference, payoutId)} takes it in.`;
}
