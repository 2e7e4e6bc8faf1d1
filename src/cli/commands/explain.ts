/** `paydrop explain REFERENCE` and `paydrop audit verify` */
import { explainStep } from "../../pipeline/explain-step.ts";
import { verifyAudit } from "../../store/audit.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { storyText } from "../render/story-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export function explainCommand(session: Session, reference: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const story = await explainStep(workplace, reference);
    session.output.answer(story, () => storyText(story, session.output.colors));
    return EXIT.done;
  });
}

/** Throws AUDIT_CHAIN_BROKEN where the record was changed. */
export function auditVerifyCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ store }) => {
    const head = await store.read(() => verifyAudit());
    session.output.answer({ intact: true, head }, () => `The record is intact. Its head is ${head}`);
    return EXIT.done;
  });
}
