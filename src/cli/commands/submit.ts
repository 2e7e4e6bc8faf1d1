/** `paydrop submit FILE` */
import { submitFile } from "../../pipeline/submit-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { fileText } from "../render/file-text.ts";
import { approveHint } from "../render/screening-text.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 if the file was taken in, because somebody must approve it. */
export function submitCommand(
  session: Session,
  file: string,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await submitFile(workplace, file, by);
    session.output.answer(report, fileText);
    if (report.verdict !== "accepted" || report.digest === undefined) return EXIT.inputRejected;
    session.output.say(`  next: somebody else runs ${approveHint(report.digest, report)}`);
    return EXIT.personNeeded;
  });
}
