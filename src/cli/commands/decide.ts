/**
 * Decisions of a person: `paydrop reject` (also `recall`), `reopen`, `stop`, `go` and `configuration accept`.
 */

import { applying } from "../../model/applying.ts";
import type { Instruction } from "../../model/index.ts";
import { reopenStep } from "../../payments/doubt-step.ts";
import { recallStep } from "../../payments/recall-step.ts";
import { giveStopOrder, liftStopOrder } from "../../payments/run/stop-order.ts";
import type { Decision } from "../../payments/sending/index.ts";
import { acceptConfiguration } from "../../proof/accept-configuration.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { DecisionOptions } from "../options.ts";
import { decisionText } from "../render/people-text.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { inUncheckedWorkplace, inWorkplace, type Session } from "../session.ts";

export const recallCommand = decisionCommand("recalled", recallStep, recalledText);
export const reopenCommand = decisionCommand("reopened", reopenStep, reopenedText);

/**
 * A command that decides about payments; the JSON answer lists the decided ones as `done`. Exits with 4 if one of
 * them is held because a look has shown its payout.
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

/** The word "unsent" is avoided for payments that were sent before, because the service may have them after all. */
function recalledText(recalled: readonly Instruction[]): string {
  const withdrawn = recalled.filter(({ standing }) => standing === "withdrawn");
  const givenUp = recalled.filter(({ standing }) => standing !== "withdrawn");
  return lines(
    withdrawn.length > 0 && `rejected, and never sent: ${referencesText(withdrawn)}`,
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
    held.length > 0 && "`paydrop doubt` shows the choices for held payments.",
  );
}

const REFERENCES_SHOWN_MAX = 20;

/** "PAY-1, PAY-2"; for a batch the first ones, and the number of others. */
function referencesText(payments: readonly Instruction[]): string {
  const names = payments.slice(0, REFERENCES_SHOWN_MAX).map(({ fields }) => shown(fields.reference));
  const others = payments.length - names.length;
  return names.join(", ") + (others > 0 ? ` and ${others} others; \`--json\` lists them all` : "");
}

export function stopCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inUncheckedWorkplace(session, async (workplace) => {
    const isRecorded = await giveStopOrder(workplace, by, reason);
    session.output.answer({ stopped: true, by, reason, isRecorded }, () =>
      lines(
        "Nothing is sent until `paydrop go`.",
        !isRecorded &&
          "The database could not be written, so the order is in a file beside it and stops this machine only.",
      ),
    );
    return EXIT.done;
  });
}

export function goCommand(session: Session, { reason, by }: DecisionOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const lifted = await liftStopOrder(workplace, by, reason);
    const { reason: order = "", takenOver = [] } = lifted ?? {};
    session.output.answer({ stopped: false, lifted: lifted?.reason, takenOver }, () =>
      lines(
        order === ""
          ? "No stop order was in force."
          : `Payments go out again. The stop order was: ${shown(order)}`,
        ...takenOver.map((each) => shown(`taken over: ${decisionText(each)}`)),
      ),
    );
    return EXIT.done;
  });
}

/** Says so if the database is not shared and there is nothing to accept. */
export function acceptConfigurationCommand(
  session: Session,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const others = workplace.store.isShared ? (await acceptConfiguration(workplace, by, reason)).others : [];
    session.output.answer({ others }, () =>
      others.length === 0
        ? "No other machine differs from this one's configuration."
        : lines(
            "This machine's configuration holds for all from now on. These send nothing until theirs is the same:",
            ...others.map(({ machine, when, what }) => `  ${machine} (${when}): ${what}`),
          ),
    );
    return EXIT.done;
  });
}
