/** A second payout bears the reference or the callbackUrl of an instruction that has its payout already. */
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Duplicate } from "../match.ts";
import { describeInstruction, describePayout } from "../wording.ts";

export const duplicateReferenceBreak = breakKind<Finding & Duplicate>({
  kind: "duplicate-reference",
  severity: "alarm",
  *detect({ duplicates }) {
    for (const one of duplicates) yield { ...aboutPayout(one.payout, one.instruction), ...one };
  },
  sentence: ({ payout, instruction, firstPayoutId }) =>
    `${describePayout(payout)} exists besides payout ${firstPayoutId} for ${describeInstruction(instruction)}: it may have been paid twice.`,
});
