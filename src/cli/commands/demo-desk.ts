/** `paydrop demo --desk` */
import { EventEmitter } from "node:events";
import { jobs } from "../../../jobs/index.ts";
import { stderrLog } from "../../context/log.ts";
import type { Hints } from "../../daemon/callbacks.ts";
import { runScheduler } from "../../daemon/scheduler.ts";
import { startDesk } from "../../desk/server.ts";
import { doctorStep } from "../../setup/doctor-step.ts";
import { openWorkplace } from "../../workplace/workplace.ts";
import type { DemoFolder } from "../demo/demo-folder.ts";
import { prepareDeskTrial } from "../demo/desk-trial.ts";
import { startSandboxProcess } from "../demo/sandbox-process.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lines } from "../render/text-parts.ts";
import type { Session } from "../session.ts";

/** Longer than a trial, so that a payment in doubt waits for a person. */
const SETTLE_MINUTES = 60 * 24;

/** Serves the desk of a trial, with its sandbox and its scheduled jobs, until SIGHUP, SIGINT or SIGTERM. */
export async function demoDesk(
  { output, environment, signal }: Session,
  folder: DemoFolder,
  port: number,
): Promise<ExitCode> {
  // Always the same port, because payments in doubt belong to the address that they were sent to.
  const sandbox = await startSandboxProcess(folder, port + 1);
  const log = stderrLog("warn");
  const inEnvironment = {
    ...folder.environment(environment, sandbox.url),
    PAYDROP_DOUBT_SETTLE_MINUTES: String(SETTLE_MINUTES),
  };
  const workplace = openWorkplace(folder.configPath, inEnvironment, log, undefined, signal);
  try {
    const hints: Hints = new EventEmitter();
    const doctor = () => doctorStep(folder.configPath, inEnvironment, signal);
    const place = { listen: `localhost:${port}`, origin: `http://localhost:${port}` };
    const desk = await startDesk(workplace, place, { hints, doctor });
    try {
      output.say("Preparing files, payments and a night; this takes some seconds the first time.");
      await prepareDeskTrial({ workplace, folder, sandbox });
      output.answer({ desk: desk.url, sandbox: sandbox.url }, () => openText(desk.url, sandbox.url));
      await runScheduler(workplace, jobs, signal, hints);
    } finally {
      await desk.close();
    }
    return EXIT.done;
  } finally {
    await workplace.close();
    await sandbox.stop();
  }
}

function openText(url: string, sandbox: string): string {
  return lines(
    `The desk is open at ${url}`,
    "  Be ann, who sent the files in, or ben, carol or dave; in a trial the desk signs for everybody, and nothing " +
      "real is paid.",
    `  Beside it run the sandbox of the service, at ${sandbox}, and the scheduled jobs.`,
    "  Ctrl-C ends all of it; the same command opens it again, and `--fresh` starts over.",
  );
}
