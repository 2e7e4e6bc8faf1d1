/** Renders the result of a decision: payments re-opened, held or recalled. */
import type { Instruction } from "../../model/index.ts";
import { lines } from "./lines.ts";
import { shown } from "./problem-text.ts";

/** The result of re-opening refused payments. */
export function reopenedText(reopened: readonly Instruction[], held: readonly Instruction[]): string {
  return lines(
    reopened.length > 0 &&
      `approved again, so that \`paydrop pay\` sends what is due: ${referencesText(reopened)}`,
    ...held.map(
      ({ fields, reason }) => `${shown(fields.reference)} is held and not sent: ${shown(reason ?? "")}`,
    ),
    held.length > 0 && "`paydrop doubt` says what may be decided about what is held.",
  );
}

/** Payments that were sent before are not called unsent: the service may have them after all. */
export function recalledText(recalled: readonly Instruction[]): string {
  const withdrawn = recalled.filter(({ standing }) => standing === "withdrawn");
  const givenUp = recalled.filter(({ standing }) => standing !== "withdrawn");
  return lines(
    withdrawn.length > 0 && `withdrawn, and never sent: ${referencesText(withdrawn)}`,
    givenUp.length > 0 && `given up; sent before, refused, and not sent again: ${referencesText(givenUp)}`,
  );
}

const REFERENCES_SHOWN_MAX = 20;

/** "PAY-1, PAY-2"; for a batch the first ones, and the number of others. */
export function referencesText(payments: readonly Instruction[]): string {
  const names = payments.slice(0, REFERENCES_SHOWN_MAX).map(({ fields }) => shown(fields.reference));
  const others = payments.length - names.length;
  return names.join(", ") + (others > 0 ? ` and ${others} others; \`--json\` lists them all` : "");
}
