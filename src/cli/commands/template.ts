/** `paydrop template FILE` */
import { noteOf } from "../../exports/template/index.ts";
import { templateStep } from "../../pipeline/template-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { configIfAny, type Session } from "../session.ts";

export async function templateCommand(session: Session, path: string): Promise<ExitCode> {
  const { output } = session;
  const config = configIfAny(session);
  const report = await templateStep(path, config);
  output.answer(report, () => `written: ${shown(path)}`);
  for (const column of report.columns) {
    output.say(`  ${output.colors.bold(column.name)}`);
    for (const line of noteOf(column).split("\n")) output.say(`    ${shown(line)}`);
  }
  if (config === undefined)
    output.say(
      `without ${session.configPath} it offers neither custody accounts nor ledger fields to choose from`,
    );
  return EXIT.done;
}
