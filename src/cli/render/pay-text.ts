/** Renders the result of a run. */
import type { ExecutionReport, Resolution } from "../../execution/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import { minuteText } from "../../model/index.ts";
import type { StopOrder } from "../../pipeline/sending/stop-order.ts";
import type { WaitingPayments } from "../../store/standing-counts.ts";
import type { Colors } from "../output.ts";
import { counted } from "./counted.ts";
import { problemLines, problemText, shown } from "./problem-text.ts";

/** "20 due, one for each one-time code: until 10:42 UTC or later". Several keys send in parallel: no time. */
export function pacedText(due: number, atLeastMs: number, now: string): string {
  const ends = new Date(Date.parse(now) + atLeastMs).toISOString();
  return `${due} due, one for each one-time code: until ${minuteText(ends)} or later`;
}

export function payText(report: ExecutionReport, colors: Colors): string {
  const { due, accepted, refused, inDoubt, notSent, held, postponed, doubtedOnTheWay } = report;
  const { resolutions, stopped, problems } = report;
  const lines: string[] = [];
  if (due === 0) lines.push("Nothing is due: no approved payment is to go out today.");
  else {
    const counts = { accepted, refused, "in doubt": inDoubt, held, postponed };
    const words = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
    const others = accepted + refused + inDoubt + held + postponed;
    // Includes what a stopped run did not reach.
    const unsent = Math.max(notSent, due - others);
    if (unsent > 0 && words.length > 0) words.push(`${unsent} not sent`);
    lines.push(`${due} due: ${words.join(", ") || "none sent"}`);
  }
  if (doubtedOnTheWay > 0) {
    const [were, are] = [doubtedOnTheWay, inDoubt].map((count) => count === 1);
    lines.push(
      `  ${doubtedOnTheWay} of them ${were ? "was" : "were"} in doubt on the way, ${inDoubt} still ${are ? "is" : "are"}`,
    );
  }
  lines.push(...foundText(resolutions));
  const all = [...problems, ...resolutions.flatMap(stillOpen)];
  lines.push(...problemLines(all, colors));
  if (stopped !== undefined) lines.push(problemText(stopped, colors));
  return lines.join("\n");
}

const FOUND_SHOWN = 10;

function foundText(resolutions: readonly Resolution[]): string[] {
  const found = resolutions.filter(({ now }) => now === "accepted");
  const lines = found
    .slice(0, FOUND_SHOWN)
    .map(
      ({ instruction, reason }) =>
        `${shown(instruction.fields.reference)} was in doubt and is accepted: ${shown(reason)}`,
    );
  const others = found.length - lines.length;
  return others > 0 ? [...lines, `... and ${others} more were in doubt and are accepted`] : lines;
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

/** Printed even if nothing was due, since whoever runs `pay` must know that it sends nothing. */
export function stopOrderText(order: StopOrder | undefined): string[] {
  if (order === undefined) return [];
  return [
    `A stop order is in force, so nothing is sent: ${shown(order.reason)}. \`paydrop go --reason WHY\` ends it.`,
  ];
}

/** The number of unknown outcomes, from any run. */
export function openText(open: number): string[] {
  if (open === 0) return [];
  return [`${open} in doubt or held: \`paydrop doubt\` says what is known and what may be decided.`];
}

/** Why other payments were not due. */
export function waitingText({ forApproval, forTheirDay, firstDay }: WaitingPayments): string[] {
  const lines: string[] = [];
  if (forApproval > 0)
    lines.push(
      `${counted(forApproval, "payment awaits", "payments await")} approval: see \`paydrop status\`.`,
    );
  if (forTheirDay > 0)
    lines.push(
      `${counted(forTheirDay, "payment waits", "payments wait")} for a later day, from ${firstDay} on.`,
    );
  return lines;
}
