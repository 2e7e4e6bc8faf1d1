/** `paydrop breaks` and `paydrop breaks settle` */
import { type BreaksReport, breaksStep, settleStep } from "../../pipeline/breaks-step.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { settledText, storedBreaksText } from "../render/breaks-text.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if a break needs a person. */
export function breaksCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await breaksStep(workplace);
    session.output.answer(report, storedBreaksText);
    return needsSomebody(report) ? EXIT.personNeeded : EXIT.done;
  });
}

export function needsSomebody({ open }: Pick<BreaksReport, "open">): boolean {
  return open.some(({ severity }) => severity !== "note");
}

export function settleCommand(
  session: Session,
  names: readonly string[],
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const settled = await settleStep(workplace, { names, person: by, reason });
    session.output.answer(settled, settledText);
    return EXIT.done;
  });
}
