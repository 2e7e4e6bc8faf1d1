/** `paydrop doctor` */
import { doctorStep } from "../../pipeline/doctor-step.ts";
import { EXIT, type ExitCode, exitCodeFor } from "../exit-code.ts";
import { doctorText } from "../render/doctor-text.ts";
import type { Session } from "../session.ts";

/** Ends with 0 only when everything is good, otherwise as the first problem says. */
export async function doctorCommand({ output, configPath, environment, signal }: Session): Promise<ExitCode> {
  const checks = await doctorStep(configPath, environment, signal);
  const [first] = checks.flatMap(({ problems }) => problems);
  output.answer({ good: first === undefined, checks }, () => doctorText(checks, output.colors));
  return first === undefined ? EXIT.done : exitCodeFor(first.next);
}
