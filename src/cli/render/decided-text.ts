/** Renders the result of a decision: payments re-opened, held or recalled. */
import type { Instruction } from "../../model/index.ts";
import { shown } from "./problem-text.ts";

/** The result of re-opening refused payments. */
export function reopenedText(reopened: readonly Instruction[], held: readonly Instruction[]): string {
  const lines = held.map(
    ({ fields, reason }) => `${shown(fields.reference)} is held and not sent: ${shown(reason ?? "")}`,
  );
  if (held.length > 0) lines.push("`paydrop doubt` says what may be decided about what is held.");
  if (reopened.length > 0)
    lines.unshift(`approved again, so that \`paydrop pay\` sends what is due: ${referencesText(reopened)}`);
  return lines.join("\n");
}

/** Payments that were sent before are not called unsent: the service may have them after all. */
export function recalledText(recalled: readonly Instruction[]): string {
  const withdrawn = recalled.filter(({ standing }) => standing === "withdrawn");
  const givenUp = recalled.filter(({ standing }) => standing !== "withdrawn");
  const lines: string[] = [];
  if (withdrawn.length > 0) lines.push(`withdrawn, and never sent: ${referencesText(withdrawn)}`);
  if (givenUp.length > 0)
    lines.push(`given up; sent before, refused, and not sent again: ${referencesText(givenUp)}`);
  return lines.join("\n");
}

const REFERENCES_SHOWN_MAX = 20;

/** "PAY-1, PAY-2"; for a batch the first ones, and the number of others. */
export function referencesText(payments: readonly Instruction[]): string {
  const names = payments.slice(0, REFERENCES_SHOWN_MAX).map(({ fields }) => shown(fields.reference));
  const others = payments.length - names.length;
  return names.join(", ") + (others > 0 ? ` and ${others} others; \`--json\` lists them all` : "");
}
