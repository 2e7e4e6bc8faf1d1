/** Renders the progress of a payout created by options: checked, approved, sent. */
import type { Instruction } from "../../model/index.ts";
import type { CreatedPayout } from "../../pipeline/create-payout-step.ts";
import type { Colors } from "../output.ts";
import { approvalText } from "./approval-text.ts";
import { fileText } from "./file-text.ts";
import { lines } from "./lines.ts";
import { payText } from "./pay-text.ts";

/** `mayApproveItself`: whether the command can also take approvals. */
export function createdPayoutText(
  { submitted, approval, execution, instruction }: CreatedPayout,
  colors: Colors,
  mayApproveItself: boolean,
): string {
  const isContinued = submitted.batchId === undefined && instruction !== undefined;
  return lines(
    isContinued
      ? `${colors.bold(instruction.batchId)}: created before; it continues from there`
      : fileText(submitted, colors),
    approval && approvalText(approval, colors),
    execution && payText(execution, colors),
    instruction?.payoutId && `payout ${instruction.payoutId}`,
    instruction !== undefined && execution === undefined && nextText(instruction, mayApproveItself),
  );
}

function nextText({ fields, batchId }: Instruction, mayApproveItself: boolean): string {
  const itself = `the same command with \`--reference ${fields.reference} --approved-by NAME\``;
  const approve = `\`paydrop preview ${batchId}\` shows how to approve it, then \`paydrop pay\``;
  return `  next: ${mayApproveItself ? `${itself}, or ${approve}` : approve}`;
}
