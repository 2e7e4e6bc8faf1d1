/** Renders the result of a run, and the progress of a payout created by options: checked, approved, sent. */

import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { type Instruction, minuteText, shifted } from "../../model/index.ts";
import type { CreatedPayout } from "../../payments/create-payout-step.ts";
import type { StopOrder } from "../../payments/run/stop-order.ts";
import type { ExecutionReport, Pause, Resolution } from "../../payments/sending/index.ts";
import type { WaitingPayments } from "../../store/standing-counts.ts";
import type { Colors } from "../output.ts";
import { approvalText } from "./approval-text.ts";
import { fileText } from "./file-text.ts";
import { problemLines, problemText, shown } from "./problem-text.ts";
import { counted, lines } from "./text-parts.ts";

/** "20 due, one for each one-time code: until 10:42 UTC or later". No time if several keys send in parallel. */
export function pacedText(due: number, atLeastMs: number, now: string): string {
  return `${due} due, one for each one-time code: until ${minuteText(shifted(now, atLeastMs))} or later`;
}

/** Undefined for a pause that a person hardly notices. */
export function pauseText({ why, milliseconds }: Pause, now: string): string | undefined {
  if (milliseconds < PAUSE_TOLD_MS) return undefined;
  const until = minuteText(shifted(now, milliseconds));
  return why === "service is out"
    ? `The service does not answer. Nothing is sent until it does; the run waits until ${until} at most.`
    : `The service asks for a pause (Retry-After): the next payment is sent at ${until}.`;
}

const PAUSE_TOLD_MS = 10_000;

export function payText(report: ExecutionReport, colors: Colors): string {
  const { due, inDoubt, doubtedOnTheWay, resolutions, stopped, problems } = report;
  const [were, are] = [doubtedOnTheWay, inDoubt].map((count) => count === 1);
  return lines(
    due === 0 ? "Nothing is due: no approved payment is to go out today." : outcomesText(report),
    doubtedOnTheWay > 0 &&
      `  ${doubtedOnTheWay} of them ${were ? "was" : "were"} in doubt on the way, ` +
        `${inDoubt} still ${are ? "is" : "are"}`,
    ...foundLines(resolutions),
    ...problemLines([...problems, ...resolutions.flatMap(stillOpen)], colors),
    stopped && problemText(stopped, colors),
  );
}

/** "40 due: 38 accepted, 2 in doubt" */
function outcomesText(report: ExecutionReport): string {
  const { due, accepted, refused, inDoubt, notSent, held, postponed } = report;
  // Includes payments that a stopped run did not reach.
  const unsent = Math.max(notSent, due - (accepted + refused + inDoubt + held + postponed));
  const counts = { accepted, refused, "in doubt": inDoubt, held, postponed };
  const words = applying(...Object.entries(counts).map(([name, count]) => count > 0 && `${count} ${name}`));
  if (unsent > 0 && words.length > 0) words.push(`${unsent} not sent`);
  return `${due} due: ${words.join(", ") || "none sent"}`;
}

const FOUND_SHOWN = 10;

function foundLines(resolutions: readonly Resolution[]): string[] {
  const found = resolutions.filter(({ now }) => now === "accepted");
  const listed = found
    .slice(0, FOUND_SHOWN)
    .map(
      ({ instruction, reason }) =>
        `${shown(instruction.fields.reference)} was in doubt and is accepted: ${shown(reason)}`,
    );
  const others = found.length - listed.length;
  return applying(...listed, others > 0 && `... and ${others} more were in doubt and are accepted`);
}

/** The problem for a doubt that the look did not resolve. */
function stillOpen({ instruction, now, reason }: Resolution): Problem[] {
  const where = { reference: instruction.fields.reference };
  switch (now) {
    case "accepted":
      return [];
    case "held":
      return [problem("PAYOUT_HELD", { reason }, where)];
    case "in doubt":
      return [problem("PAYOUT_IN_DOUBT", { evidence: reason }, where)];
  }
}

/** Printed even if nothing was due, so that the person knows that `pay` sends nothing. */
export function stopOrderText(order: StopOrder | undefined): string | undefined {
  if (order === undefined) return undefined;
  return `A stop order is in force, so nothing is sent: ${shown(order.reason)}. \`paydrop go --reason WHY\` ends it.`;
}

/** The number of unknown outcomes, from any run. */
export function openText(open: number): string | undefined {
  if (open === 0) return undefined;
  return `${open} in doubt or held: \`paydrop doubt\` shows the evidence and the choices.`;
}

/** Why other payments were not due. */
export function waitingLines({ refused, forApproval, forTheirDay, firstDay }: WaitingPayments): string[] {
  return applying(
    refused > 0 && `${counted(refused, "payment stands", "payments stand")} refused: see \`paydrop status\`.`,
    forApproval > 0 &&
      `${counted(forApproval, "payment awaits", "payments await")} approval: see \`paydrop status\`.`,
    forTheirDay > 0 &&
      `${counted(forTheirDay, "payment waits", "payments wait")} for a later day, from ${firstDay} on.`,
  );
}

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
