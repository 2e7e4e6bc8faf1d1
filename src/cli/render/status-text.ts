/** Where batches and single instructions stand, for people. */
import { formatControlTotals, type Instruction } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import type { BatchStatus } from "../../pipeline/status.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";
import { textTable } from "./text-table.ts";

export function batchesText(batches: readonly BatchStatus[], colors: Colors): string {
  if (batches.length === 0) return "No batch yet: drop a file in the inbox, or run `paydrop submit FILE`.";
  return batches
    .map(({ batch, approvedBy, peopleNeeded, standings }) =>
      [
        `${colors.bold(batch.id)} ${shown(batch.fileName)}, submitted by ${shown(batch.submittedBy)} at ${batch.submittedAt}`,
        `  total: ${formatControlTotals(batch.controlTotals)}`,
        ...standings.map(({ standing, totals }) => `  ${standing}: ${formatControlTotals(totals)}`),
        `  approved by ${approvedBy.length} of ${peopleNeeded ?? "(no rule covers it)"}: ${shown(approvedBy.join(", ")) || "nobody"}`,
        `  digest: ${batch.digest}`,
      ].join("\n"),
    )
    .join("\n");
}

export function instructionsText(instructions: readonly Instruction[]): string {
  return textTable(
    [
      { title: "row" },
      { title: "reference" },
      { title: "amount", align: "right" },
      { title: "standing" },
      { title: "payout" },
      { title: "why" },
    ],
    instructions.map(({ row, fields, standing, payoutId, reason }) => [
      String(row),
      fields.reference,
      formatAmount(fields.amount),
      standing,
      payoutId ?? "",
      reason ?? (fields.payOn === undefined ? "" : `not before ${fields.payOn}`),
    ]),
  );
}
