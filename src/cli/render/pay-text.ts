/** What a run of the lane did, for people. */
import type { ExecutionReport } from "../../execution/index.ts";
import type { WaitingPayments } from "../../pipeline/status.ts";
import type { Colors } from "../output.ts";
import { counted } from "./counted.ts";
import { problemsText, problemText, shown } from "./problem-text.ts";

export function payText(report: ExecutionReport, colors: Colors): string {
  const { due, accepted, refused, inDoubt, notSent, held, postponed, resolutions, stopped, problems } =
    report;
  const lines: string[] = [];
  if (due === 0) lines.push("Nothing is due: no approved payment awaits sending.");
  else {
    const counts = { accepted, refused, "in doubt": inDoubt, "not sent": notSent, held, postponed };
    const words = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
    lines.push(`${due} due: ${words.join(", ") || "none sent"}`);
  }
  for (const { instruction, now, reason } of resolutions) {
    lines.push(`  ${instruction.fields.reference} was in doubt, now ${now}: ${shown(reason)}`);
  }
  if (problems.length > 0) lines.push(problemsText(problems, colors));
  if (stopped !== undefined) lines.push(problemText(stopped, colors));
  return lines.join("\n");
}

/** Why the payments that were not due were not sent. */
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
