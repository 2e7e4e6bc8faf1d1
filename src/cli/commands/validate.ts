/** `paydrop validate FILE` */
import { validateFile } from "../../pipeline/validate-file.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { fileJson, fileText } from "../render/file-text.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

export function validateCommand(session: Session, file: string, rows: boolean): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async (workplace) => {
    const report = await validateFile(workplace, file);
    session.output.answer(fileJson(report, rows), () => fileText(report, session.output.colors));
    return report.verdict === "accepted" ? EXIT.done : EXIT.inputRejected;
  });
}
