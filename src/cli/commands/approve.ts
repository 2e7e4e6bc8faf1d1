/** `paydrop approve DIGEST --by NAME` */
import { type ApprovalOptions, approveStep } from "../../pipeline/approve-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { approvalText } from "../render/approval-text.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 while more people must approve. */
export function approveCommand(
  session: Session,
  digest: string,
  { by, ...accepted }: ApprovalOptions & { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await approveStep(workplace, digest, by, accepted);
    session.output.answer(report, approvalText);
    return report.isReleased ? EXIT.done : EXIT.personNeeded;
  });
}
