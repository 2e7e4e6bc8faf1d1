/** `paydrop preview BATCH|DIGEST` */
import { previewStep } from "../../pipeline/preview-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import { previewText } from "../render/preview-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Ends with 4 where a balance does not suffice, as other commands do where the service gives none. */
export function previewCommand(session: Session, idOrDigest: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const preview = await previewStep(workplace, idOrDigest);
    session.output.answer(preview, () => previewText(preview, session.output.colors));
    return exitCodeOf([...preview.problems, ...preview.balances.problems]);
  });
}
