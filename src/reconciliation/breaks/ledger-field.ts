/** The payout bears another general-ledger name, project or distribution than the row; an empty text is the same as none. */
import { aboutPayout, breakKind, comparable, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeInstruction, describePayout, quoted } from "../wording.ts";

const LEDGER_FIELDS = ["generalLedgerName", "generalLedgerProject", "generalLedgerDistribution"] as const;

export const ledgerFieldBreak = breakKind<Finding & Match>({
  kind: "ledger-field",
  severity: "warning",
  *detect({ matches }) {
    for (const match of comparable(matches)) {
      const { instruction, payout } = match;
      const about = aboutPayout(payout, instruction);
      for (const field of LEDGER_FIELDS) {
        const expected = instruction.fields[field] ?? "";
        const found = payout[field] ?? "";
        if (expected !== found)
          yield { ...about, key: `${about.key}:${field}`, ...match, field, expected, found };
      }
    }
  },
  sentence: ({ instruction, payout, field, expected, found }) =>
    `${describePayout(payout)} has ${field} ${quoted(found || undefined)}, but ${describeInstruction(instruction)} asked for ${quoted(expected || undefined)}.`,
});
