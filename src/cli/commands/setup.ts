/** `paydrop template FILE` and `doctor` */
import { meaningOf } from "../../files/template/index.ts";
import { templateStep } from "../../files/template-step.ts";
import { type Check, doctorStep } from "../../setup/doctor-step.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { configIfAny, type Session } from "../session.ts";

export async function templateCommand(session: Session, path: string): Promise<ExitCode> {
  const { output } = session;
  const config = configIfAny(session);
  const report = await templateStep(path, config);
  output.answer(report, () => `written: ${shown(path)}`);
  for (const column of report.columns)
    output.say(shown(`  ${column.isAsked ? "" : "may be added: "}${meaningOf(column)}`));
  if (config === undefined)
    output.say(
      `without ${session.configPath} it offers neither custody accounts nor ledger fields to choose from`,
    );
  return EXIT.done;
}

/** Exits with 0 only if everything is good, otherwise by the first problem. */
export async function doctorCommand({ output, configPath, environment, signal }: Session): Promise<ExitCode> {
  const checks = await doctorStep(configPath, environment, signal);
  const problems = checks.flatMap((check) => check.problems);
  output.answer({ good: problems.length === 0, checks }, doctorText);
  return exitCodeOf(problems);
}

function doctorText({ checks }: { readonly checks: readonly Check[] }, colors: Colors): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const wrong = checks.filter(({ isGood }) => !isGood).length;
  return lines(
    ...checks.flatMap(({ what, isGood, found, problems }) => [
      `${isGood ? colors.green("good ") : colors.red("wrong")} ${what.padEnd(width)}  ${shown(found)}`.trimEnd(),
      ...problems.map((problem) => problemText(problem, colors)),
    ]),
    wrong === 0 ? "Everything is good." : `${counted(wrong, "check")} of ${checks.length} went wrong.`,
  );
}
