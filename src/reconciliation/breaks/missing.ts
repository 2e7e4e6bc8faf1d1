/** An instruction that the service accepted has no payout there. */
import type { Instruction } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { breakKind, type Finding } from "../break-kind.ts";
import { describeInstruction } from "../wording.ts";

interface Missing extends Finding {
  readonly instruction: Instruction;
}

export const missingBreak = breakKind<Missing>({
  kind: "missing",
  severity: "alarm",
  *detect({ missing }) {
    for (const instruction of missing) {
      const { fields, payoutId } = instruction;
      yield {
        instruction,
        key: `reference:${fields.reference}`,
        reference: fields.reference,
        custodyAccountId: fields.custodyAccountId,
        ...present({ payoutId }),
      };
    }
  },
  sentence: ({ instruction }) =>
    `${describeInstruction(instruction)} was accepted as payout ${instruction.payoutId ?? "(no id stored)"}, but the service does not show it.`,
});
