/** `paydrop template FILE` */
import { existsSync } from "node:fs";
import { DEFAULT_CONFIG_PATH } from "../../config/default-path.ts";
import { loadConfig } from "../../config/index.ts";
import { noteOf } from "../../exports/template/index.ts";
import { templateStep } from "../../pipeline/template-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import type { Session } from "../session.ts";

/** Does without a configuration where none was named and none is there. */
export async function templateCommand(session: Session, path: string): Promise<ExitCode> {
  const { output, configPath, environment } = session;
  const isWithout = configPath === DEFAULT_CONFIG_PATH && !existsSync(configPath);
  const report = await templateStep(path, isWithout ? undefined : loadConfig(configPath, environment));
  output.answer(report, () => `written: ${shown(path)}`);
  for (const column of report.columns) {
    output.say(`  ${output.colors.bold(column.name)}`);
    for (const line of noteOf(column).split("\n")) output.say(`    ${shown(line)}`);
  }
  if (isWithout)
    output.say(`without ${configPath} it offers neither custody accounts nor ledger fields to choose from`);
  return EXIT.done;
}
