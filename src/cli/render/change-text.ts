/** What became of a deposit's creation, a void or an authorization. */
import type { ChangeReport } from "../../execution/index.ts";
import { problem } from "../../faults/index.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "./problem-text.ts";

/** `stateNow` is what the service shows afterwards. */
export function changeText(change: ChangeReport, stateNow: string, colors: Colors): string {
  const { operation, subject, evidence, depositId, isInDoubt } = change;
  if (isInDoubt) return problemText(problem("CHANGE_IN_DOUBT", { operation, subject, evidence }), colors);
  const what = depositId === undefined ? subject : `${subject}, deposit ${depositId}`;
  return `${operation} of ${shown(what)}: ${colors.green("accepted")} (${shown(evidence)}); it is ${shown(stateNow)} now`;
}
