/** The payout of an instruction bears another reference than we asked for: later look-ups by reference would miss it. */
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describePayout, quoted } from "../wording.ts";

export const referenceBreak = breakKind<Finding & Match>({
  kind: "reference",
  severity: "warning",
  *detect({ matches }) {
    for (const match of comparable(matches)) {
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
    `${describePayout(payout)} was made for ${quoted(instruction.fields.reference)}, but the service shows the reference ${quoted(payout.reference)}.`,
});
