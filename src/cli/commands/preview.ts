/** `paydrop preview BATCH|DIGEST` */
import { previewStep } from "../../pipeline/preview-step.ts";
import { EXIT, type ExitCode, exitCodeFor } from "../exit-code.ts";
import { previewText } from "../render/preview-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Ends with 4 where a balance does not suffice, as other commands do where the service gives none. */
export function previewCommand(session: Session, idOrDigest: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const preview = await previewStep(workplace, idOrDigest);
    session.output.answer(preview, () => previewText(preview, session.output.colors));
    const [first] = [...preview.problems, ...preview.balances.problems];
    return first === undefined ? EXIT.done : exitCodeFor(first.next);
  });
}
