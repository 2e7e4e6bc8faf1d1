/** `paydrop demo` */
import { stderrLog } from "../../context/log.ts";
import { openWorkplace } from "../../workplace/workplace.ts";
import { openDemoFolder } from "../demo/demo-folder.ts";
import { Expectations } from "../demo/expectations.ts";
import { runDemo } from "../demo/run-demo.ts";
import { startSandboxProcess } from "../demo/sandbox-process.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";

interface DemoOptions {
  /** Default: "paydrop-desk" or "paydrop-demo". */
  readonly folder?: string;
  readonly fresh?: boolean;
  /** Opens the desk instead, at this port. */
  readonly desk?: boolean;
  readonly port: number;
}

/** Exits with 0 only if every printed expectation held. */
export async function demoCommand(
  session: Session,
  { desk = false, folder: path = desk ? "paydrop-desk" : "paydrop-demo", fresh = false, port }: DemoOptions,
): Promise<ExitCode> {
  const folder = await openDemoFolder(path, fresh);
  if (desk) {
    const { demoDesk } = await import("./demo-desk.ts");
    return demoDesk(session, folder, port);
  }
  const { output, environment, signal } = session;
  const sandbox = await startSandboxProcess(folder);
  try {
    output.say(`The sandbox of the service runs at ${sandbox.url}, in a process of its own.`);
    const inEnvironment = folder.environment(environment, sandbox.url);
    const workplace = openWorkplace(folder.configPath, inEnvironment, stderrLog("warn"), undefined, signal);
    try {
      const expectations = new Expectations(output);
      await runDemo({ workplace, folder, sandbox, output, expectations, signal });
      output.answer(expectations.report, () => `\n${expectations.summary}`);
      return expectations.allHeld ? EXIT.done : EXIT.unexpected;
    } finally {
      await workplace.close();
    }
  } finally {
    await sandbox.stop();
  }
}
