/** Renders the progress of a payout created by options: checked, approved, sent. */
import type { CreatedPayout } from "../../pipeline/create-payout-step.ts";
import type { Colors } from "../output.ts";
import { approvalText } from "./approval-text.ts";
import { fileText } from "./file-text.ts";
import { payText } from "./pay-text.ts";

/** `mayApproveItself`: whether the command can also take approvals. */
export function createdPayoutText(
  { submitted, approval, execution, instruction }: CreatedPayout,
  colors: Colors,
  mayApproveItself: boolean,
): string {
  const isContinued = submitted.batchId === undefined && instruction !== undefined;
  const lines = [
    isContinued
      ? `${colors.bold(instruction.batchId)}: created before; it continues from there`
      : fileText(submitted, colors),
  ];
  if (approval !== undefined) lines.push(approvalText(approval, colors));
  if (execution !== undefined) lines.push(payText(execution, colors));
  if (instruction?.payoutId !== undefined) lines.push(`payout ${instruction.payoutId}`);
  if (instruction !== undefined && execution === undefined) {
    const { fields, batchId } = instruction;
    const itself = `the same command with \`--reference ${fields.reference} --approved-by NAME\``;
    const approve = `\`paydrop preview ${batchId}\` shows how to approve it, then \`paydrop pay\``;
    lines.push(`  next: ${mayApproveItself ? `${itself}, or ${approve}` : approve}`);
  }
  return lines.join("\n");
}
