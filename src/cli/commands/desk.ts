/** `paydrop desk` and `desk sign-in` */
import { once } from "node:events";
import { serviceSecretsIn } from "../../config/index.ts";
import { stderrLog } from "../../context/log.ts";
import { startDesk } from "../../desk/server.ts";
import { fault } from "../../faults/index.ts";
import { proveDecision } from "../../proof/prove.ts";
import { openDeskWorkplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { trialLine } from "../render/people-text.ts";
import { lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Serves the desk alone until SIGHUP, SIGINT or SIGTERM. */
export async function deskCommand({ configPath, environment, output, signal }: Session): Promise<ExitCode> {
  const secrets = serviceSecretsIn(environment);
  if (secrets.length > 0) output.complain(unneeded(secrets));
  const workplace = openDeskWorkplace(configPath, environment, stderrLog("info"), signal);
  try {
    const { desk } = workplace.config;
    if (desk === undefined)
      throw fault("CONFIG_KEY_INVALID", { path: "desk", reason: NOWHERE, hint: "" }, { key: "desk" });
    const { url, close } = await startDesk(workplace, desk);
    output.answer({ desk: url }, () =>
      lines(`The desk is open at ${url}; Ctrl-C closes it`, trialLine(workplace)),
    );
    if (!signal.aborted) await once(signal, "abort");
    await close();
    return EXIT.done;
  } finally {
    await workplace.close();
  }
}

/** A warning: a process that serves browsers should not have the service's secrets. */
function unneeded(secrets: readonly string[]): string {
  return (
    `This process has secrets of the service in its environment (${secrets.join(", ")}). The desk needs none ` +
    `and does not use them: start it without.`
  );
}

const NOWHERE =
  'the configuration does not say where the desk is: `desk: { listen: "127.0.0.1:8080", origin: ' +
  '"http://localhost:8080" }`';

/** Signs in a browser that shows this code. */
export function signInCommand(
  session: Session,
  code: string,
  { by }: { readonly by: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    await proveDecision(workplace, { decision: "sign in", person: by, subject: code.toLowerCase() });
    session.output.answer({ signed: code, by }, () => "Signed. Press “I have signed” in that browser.");
    return EXIT.done;
  });
}
