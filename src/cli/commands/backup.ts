/** `paydrop backup FILE` */
import { loadConfig } from "../../config/index.ts";
import { backupStep } from "../../pipeline/backup-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import type { Session } from "../session.ts";

export async function backupCommand(
  { output, configPath, environment }: Session,
  path: string,
): Promise<ExitCode> {
  const report = await backupStep(loadConfig(configPath, environment), path);
  output.answer(
    report,
    () => `written: ${shown(report.path)}, whose record is intact; its head is ${report.head}`,
  );
  output.say("keep it apart from the anchor file: once restored, it sends nothing until a person has looked");
  return EXIT.done;
}
