/** Renders the effect of an approval. */
import type { ApprovalReport } from "../../pipeline/approve-step.ts";
import type { Colors } from "../output.ts";
import { counted, totalsText } from "./counted.ts";
import { shown } from "./problem-text.ts";
import { screeningLines } from "./screening-text.ts";

export function approvalText(report: ApprovalReport, colors: Colors): string {
  const { batch, approvedBy, peopleNeeded, isReleased, released, renewed } = report;
  const head = `${colors.bold(batch.id)} ${shown(batch.fileName)} (${totalsText(batch.controlTotals)})`;
  const people = `approved by ${shown(approvedBy.join(", "))}`;
  const missing = peopleNeeded - approvedBy.length;
  const result = isReleased
    ? colors.green([...countedIf(released, "released"), ...countedIf(renewed, "approved again")].join(", "))
    : `not released yet: ${counted(missing, "more person", "more people")} must approve`;
  const first = `${head}: ${people}, ${approvedBy.length} of ${peopleNeeded}; ${result}`;
  // Without the list, which the approver has seen with the file or in the preview.
  return [first, ...screeningLines(report, colors, 0)].join("\n");
}

function countedIf(count: number, done: string): string[] {
  return count === 0 ? [] : [`${counted(count, "payment")} ${done}`];
}
