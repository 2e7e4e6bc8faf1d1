/** `paydrop ledger answer` */
import { answerStep } from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 3 if the file has mistakes, and with 4 if the ERP refused something or an answer changed nothing. */
export function ledgerAnswerCommand(
  session: Session,
  path: string,
  { target }: { readonly target?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await answerStep(workplace, path, target);
    const { file, posted, refused, repeated, problems, mistakes } = report;
    session.output.answer(report, (_, colors) =>
      lines(
        mistakes.length > 0
          ? `${shown(file)} was refused, and nothing of it counts`
          : `${shown(file)} of ${report.target}: ${posted} posted, ${refused} refused, ${repeated} said before`,
        ...problemLines([...mistakes, ...problems], colors),
      ),
    );
    if (mistakes.length > 0) return EXIT.inputRejected;
    return problems.length + refused > 0 ? EXIT.personNeeded : EXIT.done;
  });
}
