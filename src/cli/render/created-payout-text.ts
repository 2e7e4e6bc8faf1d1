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
  const lines = [fileText(submitted, colors)];
  if (approval !== undefined) lines.push(approvalText(approval, colors));
  if (execution !== undefined) lines.push(payText(execution, colors));
  if (instruction?.payoutId !== undefined) lines.push(`payout ${instruction.payoutId}`);
  const isWaiting = submitted.batchId !== undefined && execution === undefined;
  if (isWaiting) {
    lines.push(
      `  next: somebody else runs \`paydrop approve ${submitted.digest?.slice(0, 16)} --by NAME\`, then \`paydrop pay\` sends it`,
    );
  }
  return lines.join("\n");
}
