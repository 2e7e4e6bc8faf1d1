/** A second payout bears the reference or the callbackUrl of an instruction that has its payout already. */
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Duplicate } from "../match.ts";
import { acceptCommand, describeInstruction, describePayout } from "../wording.ts";

interface Second extends Finding, Duplicate {
  /** The service does not show the first one. */
  readonly isAlone: boolean;
}

export const duplicateReferenceBreak = breakKind<Second>({
  kind: "duplicate-reference",
  severity: "alarm",
  *detect({ duplicates, missing }) {
    const withoutFirst = new Set(missing);
    for (const one of duplicates) {
      const isAlone = withoutFirst.has(one.instruction);
      yield { ...aboutPayout(one.payout, one.instruction), ...one, isAlone };
    }
  },
  sentence: ({ payout, instruction, firstPayoutId, isAlone }) => {
    const told = `${describePayout(payout)} exists besides payout ${firstPayoutId} for ${describeInstruction(instruction)}: it may have been paid twice.`;
    const command = acceptCommand(instruction.fields.reference, payout.payoutId);
    return isAlone
      ? `${told} The service does not show the other one: where that never was, ${command} takes this one in.`
      : told;
  },
});
