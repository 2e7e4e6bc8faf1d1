/** `paydrop init` */
import { initStep } from "../../pipeline/init-step.ts";
import { demoSecrets } from "../demo/demo-secrets.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { packageFolder } from "../package-folder.ts";
import { shown } from "../render/problem-text.ts";
import type { Session } from "../session.ts";

export async function initCommand(
  { output, configPath }: Session,
  { sandbox = false }: { readonly sandbox?: boolean },
): Promise<ExitCode> {
  const report = await initStep(configPath, packageFolder, sandbox);
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
      ? `next: \`export ${secretsText()}\`, \`paydrop sandbox\` in another terminal, then \`paydrop doctor\` and \`paydrop reconcile baseline\``
      : "next: PAYDROP_KEY, PAYDROP_SIGNING_SECRET, PAYDROP_OTP_SECRET in the environment, then `paydrop doctor`, `paydrop reconcile baseline` and `paydrop pilot`",
  );
  return EXIT.done;
}

/** "PAYDROP_KEY=demo-key ...", in shell syntax. */
function secretsText(): string {
  return Object.entries(demoSecrets)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** Of "the key `a.b` is wrong: expected a text" only what is expected. */
function expectation(message: string): string {
  return message.replace(/^.*?\bexpected /, "");
}
