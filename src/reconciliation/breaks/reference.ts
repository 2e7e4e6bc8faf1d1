/** The payout of an instruction bears another reference than we asked for: later look-ups by reference would miss it. */
import { correlatedCallbackUrl } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { acceptCommand, describePayout, quoted } from "../wording.ts";

export const referenceBreak = breakKind<Finding & Match>({
  kind: "reference",
  severity: "warning",
  *detect({ matches }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      const expected = instruction.fields.reference;
      if (payout.reference === expected) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        field: "reference",
        expected,
        found: payout.reference ?? "",
      };
    }
  },
  sentence: ({ instruction, payout }) =>
    `${describePayout(payout)} was made for ${quoted(instruction.fields.reference)}, but the service shows the reference ${quoted(payout.reference)}.${wayOut({ instruction, payout })}`,
});

/** The callbackUrl is another payment's too: then the answers of both were mixed up on their way. */
function wayOut({ instruction, payout: { payoutId, reference, callbackUrl } }: Match): string {
  const isNamedOtherwise = callbackUrl !== undefined && callbackUrl !== correlatedCallbackUrl(instruction);
  if (!isNamedOtherwise || reference === undefined) return "";
  return ` Where it is the payout of ${quoted(reference)}, ${acceptCommand(reference, payoutId)} takes it in there.`;
}
