/** Renders the result of a deposit's creation, a void or an authorization. */
import type { ChangeReport } from "../../execution/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "./problem-text.ts";

/** `now`: the state that the service shows afterwards, or why it shows none; undefined if it was not asked. */
export function changeText(change: ChangeReport, now: string | Problem | undefined, colors: Colors): string {
  const { operation, subject, evidence, depositId, isInDoubt } = change;
  if (isInDoubt) return problemText(problem("CHANGE_IN_DOUBT", { operation, subject, evidence }), colors);
  const what = depositId === undefined ? subject : `${subject}, deposit ${depositId}`;
  return `${operation} of ${shown(what)}: ${colors.green("accepted")} (${shown(evidence)})${nowText(now)}`;
}

function nowText(now: string | Problem | undefined): string {
  if (now === undefined) return "";
  return typeof now === "string"
    ? `; it is ${shown(now)} now`
    : `; what it is now is not known: ${shown(now.message)}`;
}
