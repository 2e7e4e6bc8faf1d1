/** `paydrop doctor` */
import { doctorStep } from "../../pipeline/doctor-step.ts";
import { type ExitCode, exitCodeOf } from "../exit-code.ts";
import { doctorText } from "../render/doctor-text.ts";
import type { Session } from "../session.ts";

/** Exits with 0 only if everything is good, otherwise by the first problem. */
export async function doctorCommand({ output, configPath, environment, signal }: Session): Promise<ExitCode> {
  const checks = await doctorStep(configPath, environment, signal);
  const problems = checks.flatMap((check) => check.problems);
  output.answer({ good: problems.length === 0, checks }, doctorText);
  return exitCodeOf(problems);
}
