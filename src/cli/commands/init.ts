/** `paydrop init`: on a terminal asks, writes, has the roster signed and runs `doctor`; elsewhere only writes. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Fault, fault } from "../../faults/index.ts";
import { addPersonStep } from "../../proof/people-step.ts";
import { withSecrets } from "../../setup/init-answers.ts";
import { ENVIRONMENT_FILE, type InitReport, initStep, secretFile } from "../../setup/init-step.ts";
import { demoSecrets } from "../demo/demo-folder.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { packageFolder } from "../package-folder.ts";
import { problemText, shown } from "../render/problem-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { askForAll, type FirstPerson } from "./init-asks.ts";
import { doctorCommand } from "./setup.ts";

interface InitOptions {
  readonly sandbox?: boolean;
  readonly yes?: boolean;
}

export function initCommand(
  session: Session,
  { sandbox = false, yes = false }: InitOptions,
): Promise<ExitCode> {
  const asks = process.stdin.isTTY === true && !sandbox && !yes && !session.output.json;
  return asks ? initOnTerminal(session) : initWithoutAsking(session, sandbox);
}

/** Prints what the user must fill in. `sandbox`: creates a trial instead, with nothing to fill in. */
async function initWithoutAsking(
  { output, configPath, environment }: Session,
  sandbox: boolean,
): Promise<ExitCode> {
  const report = await initStep(configPath, packageFolder, sandbox ? { sandboxIn: environment } : {});
  output.answer(report, () => writtenLines(report).join("\n"));
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

function writtenLines({ written, kept }: InitReport): readonly string[] {
  return [
    ...written.map((path) => `written: ${shown(path)}`),
    ...kept.map((path) => `kept as it was: ${shown(path)}`),
  ];
}

/** "a text" from "the key `a.b` is wrong: expected a text". */
function expectation(message: string): string {
  return message.replace(/^.*?\bexpected /, "");
}

/** "PAYDROP_KEY=demo-key ...", in shell syntax. */
function secretsText(): string {
  return Object.entries(demoSecrets)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** Exits as `doctor` does. Throws OUTPUT_EXISTS before it asks. */
async function initOnTerminal(session: Session): Promise<ExitCode> {
  const { output, configPath, environment } = session;
  if (existsSync(configPath)) throw fault("OUTPUT_EXISTS", { path: configPath }, { file: configPath });
  const sample = readFileSync(join(packageFolder, "samples", "paydrop.yaml"), "utf8");
  const { answers, people } = await askForAll(session, sample);
  const report = await initStep(configPath, packageFolder, { answers });
  output.say();
  for (const line of writtenLines(report)) output.say(line);
  const folder = dirname(resolve(configPath));
  const inFiles = answers.secrets.map((place) =>
    "typed" in place ? { name: place.name, file: secretFile(folder, place.name) } : place,
  );
  const begun = { ...session, environment: withSecrets(environment, inFiles) };
  await signRoster(begun, people);
  output.say();
  const exitCode = await doctorCommand(begun);
  const isFound = answers.secrets.every((place) => "isInEnvironment" in place);
  const source = isFound ? "" : `\`set -a; . ./${ENVIRONMENT_FILE}; set +a\` in each shell, then `;
  output.say(`next: ${source}\`paydrop reconcile baseline\`, \`paydrop pilot\`, and \`paydrop serve\``);
  return exitCode;
}

/** The admin signs for everybody. For each unsigned entry, prints the command that signs it later. */
async function signRoster(session: Session, people: readonly FirstPerson[]): Promise<void> {
  const { output } = session;
  const [admin] = people;
  let signed = 0;
  try {
    await inWorkplace(session, async (workplace) => {
      for (const { name, roles, key } of people) {
        await addPersonStep(workplace, { name, roles, credential: { key }, person: admin?.name ?? name });
        output.say(`${name} is on the roster: ${roles.join(", ")}`);
        signed += 1;
      }
      return EXIT.done;
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    output.complain(problemText(error.problem, output.colors));
    output.say("The roster is not complete. Where the admin's key can sign:");
    for (const { name, roles } of people.slice(signed))
      output.say(
        `  paydrop people add ${name} --role ${roles.join(" ")} --key THEIR.pub --by ${admin?.name}`,
      );
  }
}
