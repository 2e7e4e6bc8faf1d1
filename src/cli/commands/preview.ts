/** `paydrop preview BATCH|DIGEST` */
import { previewStep } from "../../pipeline/preview-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import { previewText } from "../render/preview-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 4 if a balance is insufficient, and like other commands if the service gives none. */
export function previewCommand(session: Session, idOrDigest: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const preview = await previewStep(workplace, idOrDigest);
    session.output.answer(preview, previewText);
    return exitCodeOf([...preview.problems, ...preview.balances.problems]);
  });
}
