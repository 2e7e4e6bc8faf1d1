/** A payout that was asked for in words: checked, approved, sent, as far as it came. */
import type { CreatedPayout } from "../../pipeline/create-payout-step.ts";
import type { Colors } from "../output.ts";
import { approvalText } from "./approval-text.ts";
import { fileText } from "./file-text.ts";
import { payText } from "./pay-text.ts";

export function createdPayoutText(
  { submitted, approval, execution, instruction }: CreatedPayout,
  colors: Colors,
): string {
  const isContinued = submitted.batchId === undefined && instruction !== undefined;
  const lines = [
    isContinued
      ? `${colors.bold(instruction.batchId)}: asked for before, and goes on from there`
      : fileText(submitted, colors),
  ];
  if (approval !== undefined) lines.push(approvalText(approval, colors));
  if (execution !== undefined) lines.push(payText(execution, colors));
  if (instruction?.payoutId !== undefined) lines.push(`payout ${instruction.payoutId}`);
  if (instruction !== undefined && execution === undefined) {
    lines.push(
      `  next: the same command with \`--reference ${instruction.fields.reference} --approved-by NAME\`, or \`paydrop approve\` and \`paydrop pay\``,
    );
  }
  return lines.join("\n");
}
