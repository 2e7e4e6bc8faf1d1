/** `paydrop reopen REFERENCE` or `BATCH` */
import { reopenStep } from "../../pipeline/doubt-step.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { reopenedText } from "../render/decided-text.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 if one of the payments is held because the service was seen to have made it. */
export function reopenCommand(
  session: Session,
  reference: string,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const decided = await reopenStep(workplace, { reference, person: by, reason });
    const held = decided.filter(({ standing }) => standing === "held");
    const reopened = decided.filter(({ standing }) => standing !== "held");
    session.output.answer({ reopened, held }, () => reopenedText(reopened, held));
    return held.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}
