/** `paydrop doctor` */
import { type Check, doctorStep } from "../../pipeline/doctor-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { counted } from "../render/counted.ts";
import { lines } from "../render/lines.ts";
import { problemText, shown } from "../render/problem-text.ts";
import type { Session } from "../session.ts";

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
