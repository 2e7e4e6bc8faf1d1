/** `paydrop recall` (also `reject`) and `paydrop reopen`, each with a REFERENCE or a BATCH */
import type { Decision } from "../../execution/index.ts";
import { applying } from "../../model/applying.ts";
import type { Instruction } from "../../model/index.ts";
import { reopenStep } from "../../pipeline/doubt-step.ts";
import { recallStep } from "../../pipeline/recall-step.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lines } from "../render/lines.ts";
import { shown } from "../render/problem-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export const recallCommand = decisionCommand("recalled", recallStep, recalledText);
export const reopenCommand = decisionCommand("reopened", reopenStep, reopenedText);

/**
 * The command of a decision about payments, whose answer calls those `done` that the decision holds for. Exits with 4 if
 * one of them is held because the service was seen to have made it.
 */
function decisionCommand(
  done: "recalled" | "reopened",
  step: (workplace: Workplace, decision: Decision) => Promise<readonly Instruction[]>,
  doneText: (payments: readonly Instruction[]) => string,
) {
  return (session: Session, reference: string, { reason, by }: DecisionOptions): Promise<ExitCode> =>
    inWorkplace(session, async (workplace) => {
      const decided = await step(workplace, { reference, person: by, reason });
      const held = decided.filter(({ standing }) => standing === "held");
      const others = decided.filter(({ standing }) => standing !== "held");
      session.output.answer({ [done]: others, held }, () =>
        lines(others.length > 0 && doneText(others), ...heldLines(held)),
      );
      return held.length > 0 ? EXIT.personNeeded : EXIT.done;
    });
}

/** Payments that were sent before are not called unsent: the service may have them after all. */
function recalledText(recalled: readonly Instruction[]): string {
  const withdrawn = recalled.filter(({ standing }) => standing === "withdrawn");
  const givenUp = recalled.filter(({ standing }) => standing !== "withdrawn");
  return lines(
    withdrawn.length > 0 && `withdrawn, and never sent: ${referencesText(withdrawn)}`,
    givenUp.length > 0 && `given up; sent before, refused, and not sent again: ${referencesText(givenUp)}`,
  );
}

function reopenedText(reopened: readonly Instruction[]): string {
  return `approved again, so that \`paydrop pay\` sends what is due: ${referencesText(reopened)}`;
}

function heldLines(held: readonly Instruction[]): string[] {
  return applying(
    ...held.map(
      ({ fields, reason }) => `${shown(fields.reference)} is held and not sent: ${shown(reason ?? "")}`,
    ),
    held.length > 0 && "`paydrop doubt` says what may be decided about what is held.",
  );
}

const REFERENCES_SHOWN_MAX = 20;

/** "PAY-1, PAY-2"; for a batch the first ones, and the number of others. */
function referencesText(payments: readonly Instruction[]): string {
  const names = payments.slice(0, REFERENCES_SHOWN_MAX).map(({ fields }) => shown(fields.reference));
  const others = payments.length - names.length;
  return names.join(", ") + (others > 0 ? ` and ${others} others; \`--json\` lists them all` : "");
}
