/** A payout exists at the service, but no instruction of ours asked for it. */
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Unexpected } from "../match.ts";
import { describeInstruction, describePayout } from "../wording.ts";

export const unexpectedBreak = breakKind<Finding & Unexpected>({
  kind: "unexpected",
  severity: "alarm",
  *detect({ unexpected }) {
    for (const one of unexpected) yield { ...aboutPayout(one.payout), ...one };
  },
  sentence: ({ payout, namesake }) => {
    const exists = `${describePayout(payout)} exists at the service`;
    if (namesake === undefined) return `${exists}, but no file asked for it.`;
    return `${exists} under the reference of ${describeInstruction(namesake)}, which is ${namesake.standing}, but it was not made by Paydrop.`;
  },
});
