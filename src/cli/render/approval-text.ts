/** What an approval did, for people. */
import { formatControlTotals } from "../../model/index.ts";
import type { ApprovalReport } from "../../pipeline/approve-step.ts";
import type { Colors } from "../output.ts";
import { shown } from "./problem-text.ts";

export function approvalText(report: ApprovalReport, colors: Colors): string {
  const { batch, approvedBy, peopleNeeded, isReleased, released } = report;
  const head = `${colors.bold(batch.id)} ${shown(batch.fileName)}, ${formatControlTotals(batch.controlTotals)}`;
  const people = `approved by ${shown(approvedBy.join(", "))} (${approvedBy.length} of ${peopleNeeded})`;
  return `${head}: ${people}; ${isReleased ? colors.green(`${released} payments released`) : "not released yet"}`;
}
