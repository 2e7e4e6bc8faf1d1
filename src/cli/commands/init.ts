/** `paydrop init`: on a terminal it asks, writes, has the roster signed, and runs `doctor`. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Fault, fault } from "../../faults/index.ts";
import { addPersonStep } from "../../proof/people-step.ts";
import { withSecrets } from "../../setup/init-answers.ts";
import { ENVIRONMENT_FILE, initStep, secretFile } from "../../setup/init-step.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { packageFolder } from "../package-folder.ts";
import { problemText, shown } from "../render/problem-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { type Asked, askForAll } from "./init-asks.ts";
import { doctorCommand, initWithoutAsking } from "./setup.ts";

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

/** Exits as `doctor` does. Throws OUTPUT_EXISTS before it asks. */
async function initOnTerminal(session: Session): Promise<ExitCode> {
  const { output, configPath, environment } = session;
  if (existsSync(configPath)) throw fault("OUTPUT_EXISTS", { path: configPath }, { file: configPath });
  const sample = readFileSync(join(packageFolder, "samples", "paydrop.yaml"), "utf8");
  const { answers, people } = await askForAll(session, sample);
  const report = await initStep(configPath, packageFolder, undefined, answers);
  output.say();
  for (const path of report.written) output.say(`written: ${shown(path)}`);
  for (const path of report.kept) output.say(`kept as it was: ${shown(path)}`);
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
async function signRoster(session: Session, people: Asked["people"]): Promise<void> {
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
