/** A payout exists at the service, or was shown by it once, but no instruction of ours asked for it. */
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Unexpected } from "../match.ts";
import { describeInstruction, describePayout } from "../wording.ts";

interface Stranger extends Finding, Unexpected {
  readonly isShown: boolean;
}

export const unexpectedBreak = breakKind<Stranger>({
  kind: "unexpected",
  severity: "alarm",
  *detect({ unexpected, notShown }) {
    for (const one of unexpected) {
      const isShown = !notShown.has(one.payout.payoutId);
      const standing = one.namesake && { field: "standing", found: one.namesake.standing };
      yield { ...aboutPayout(one.payout), ...one, ...standing, isShown };
    }
  },
  sentence: ({ payout, namesake, isShown }) => {
    const exists = `${describePayout(payout)} ${isShown ? "exists at" : "was shown by"} the service`;
    if (namesake === undefined) return `${exists}, but no file asked for it.`;
    return `${exists} under the reference of ${describeInstruction(namesake)}, which is ${namesake.standing}, but it was not made by Paydrop.`;
  },
});
