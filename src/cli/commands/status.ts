/** `paydrop status [BATCH or REFERENCE]` */
import { needsPerson } from "../../model/index.ts";
import { statusOf, statusOfBatches } from "../../pipeline/status.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { batchesText, instructionsText } from "../render/status-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Ends with 4 when something waits for a person. */
export function statusCommand(session: Session, which: string | undefined): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    if (which !== undefined) {
      const instructions = await statusOf(workplace, which);
      session.output.answer(instructions, () => instructionsText(instructions));
      return instructions.some(({ standing }) => needsPerson(standing)) ? EXIT.personNeeded : EXIT.done;
    }
    const batches = await statusOfBatches(workplace);
    session.output.answer(batches, () => batchesText(batches, session.output.colors));
    const waits = batches.some(({ standings }) => standings.some(({ standing }) => needsPerson(standing)));
    return waits ? EXIT.personNeeded : EXIT.done;
  });
}
