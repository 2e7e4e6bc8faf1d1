/** `paydrop explain REFERENCE` */
import { explainStep } from "../../pipeline/explain-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { storyText } from "../render/story-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export function explainCommand(session: Session, reference: string): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const story = await explainStep(workplace, reference);
    session.output.answer(story, storyText);
    return EXIT.done;
  });
}
