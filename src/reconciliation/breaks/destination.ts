/** The payout goes somewhere else than the row says. Addresses are shown whole: look-alikes share their beginning and end. */
import { destinationField, sameDestination } from "../../model/index.ts";
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeInstruction, describePayout, quoted } from "../wording.ts";

interface DestinationFinding extends Finding, Match {
  readonly expected: string;
}

export const destinationBreak = breakKind<DestinationFinding>({
  kind: "destination",
  severity: "alarm",
  *detect({ matches }) {
    for (const match of comparable(matches)) {
      const { instruction, payout } = match;
      const field = destinationField(instruction.fields);
      const expected = instruction.fields[field] ?? "";
      const found = payout[field] ?? "";
      if (!sameDestination(expected, found))
        yield { ...aboutPayout(payout, instruction), ...match, field, expected, found };
    }
  },
  sentence: ({ instruction, payout, expected, found }) =>
    `${describePayout(payout)} goes to ${quoted(found || undefined)}, but ${describeInstruction(instruction)} asked for ${quoted(expected)}.`,
});
