/** The payout that was answered for one instruction bears the callbackUrl of another: their answers were mixed up on their way. */
import type { Instruction } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { acceptCommand, describeInstruction, describePayout } from "../wording.ts";

interface MixedUp extends Finding, Match {
  readonly mixedUpWith: Instruction;
}

export const mixedUpBreak = breakKind<MixedUp>({
  kind: "mixed-up",
  severity: "alarm",
  *detect({ matches }) {
    for (const { instruction, payout, mixedUpWith } of matches) {
      if (mixedUpWith === undefined) continue;
      const expected = instruction.fields.reference;
      const found = mixedUpWith.fields.reference;
      yield {
        ...aboutPayout(payout, instruction),
        instruction,
        payout,
        mixedUpWith,
        field: "callbackUrl",
        expected,
        found,
      };
    }
  },
  sentence: ({ instruction, payout, mixedUpWith }) =>
    `${describePayout(payout)} was answered for ${describeInstruction(instruction)}, but bears the callbackUrl of ${describeInstruction(mixedUpWith)}: what became of the first is not known. ${acceptCommand(mixedUpWith.fields.reference, payout.payoutId)} takes it in there.`,
});
