/** `paydrop recall REFERENCE` or `BATCH`, also `reject` */
import { recallStep } from "../../pipeline/recall-step.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { recalledText } from "../render/decided-text.ts";
import { inWorkplace, type Session } from "../session.ts";

export function recallCommand(
  session: Session,
  reference: string,
  { reason, by }: DecisionOptions,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const recalled = await recallStep(workplace, { reference, person: by, reason });
    session.output.answer({ recalled }, () => recalledText(recalled));
    return EXIT.done;
  });
}
