/** `paydrop init` without questions, `template FILE` and `doctor` */
import { meaningOf } from "../../files/template/index.ts";
import { templateStep } from "../../files/template-step.ts";
import { type Check, doctorStep } from "../../setup/doctor-step.ts";
import { initStep } from "../../setup/init-step.ts";
import { demoSecrets } from "../demo/demo-folder.ts";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { packageFolder } from "../package-folder.ts";
import { problemText, shown } from "../render/problem-text.ts";
import { counted, lines } from "../render/text-parts.ts";
import { configIfAny, type Session } from "../session.ts";

/** Prints what the user must fill in. `sandbox`: creates a trial instead, with nothing to fill in. */
export async function initWithoutAsking(
  { output, configPath, environment }: Session,
  sandbox: boolean,
): Promise<ExitCode> {
  const report = await initStep(configPath, packageFolder, sandbox ? environment : undefined);
  output.answer(report, () =>
    [
      ...report.written.map((path) => `written: ${shown(path)}`),
      ...report.kept.map((path) => `kept as it was: ${shown(path)}`),
    ].join("\n"),
  );
  if (report.toFillIn.length > 0) {
    output.say("fill in, in the configuration:");
    for (const { key = "", message } of report.toFillIn) output.say(`  ${key}: ${expectation(message)}`);
    output.say("and raise `limits`: a currency without all three is not payable");
  }
  output.say("put your own ledger accounts in the chart of accounts, which is a sample");
  output.say(
    sandbox
      ? `next: \`export ${secretsText()}\`, \`paydrop sandbox\` in another terminal, then \`paydrop doctor\` and ` +
          `\`paydrop reconcile baseline\``
      : "next: PAYDROP_KEY, PAYDROP_SIGNING_SECRET, PAYDROP_OTP_SECRET in the environment, then `paydrop doctor`, " +
          "`paydrop reconcile baseline` and `paydrop pilot`",
  );
  return EXIT.done;
}

/** "PAYDROP_KEY=demo-key ...", in shell syntax. */
function secretsText(): string {
  return Object.entries(demoSecrets)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** "a text" from "the key `a.b` is wrong: expected a text". */
function expectation(message: string): string {
  return message.replace(/^.*?\bexpected /, "");
}

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
