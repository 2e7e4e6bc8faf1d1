/** What every command gets: where to print, which configuration to open, and when to stop. */
import { existsSync } from "node:fs";
import type { LevelWithSilent } from "pino";
import { DEFAULT_CONFIG_PATH } from "../config/default-path.ts";
import { type Config, type Environment, loadConfig } from "../config/index.ts";
import { stderrLog } from "../context/log.ts";
import { openWorkplace, openWorkplaceForReading, type Workplace } from "../pipeline/workplace/workplace.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Output } from "./output.ts";
import { askSecretly } from "./terminal.ts";

export interface Session {
  readonly output: Output;
  readonly environment: Environment;
  readonly configPath: string;
  /** Aborts at SIGHUP, SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * Makes the action of a command. Its module is loaded when it is called, since loading all of them is most of a short command's time.
 * What commander hands over (arguments, then options) goes to the command behind the session.
 */
export type Runs = <Given extends readonly unknown[]>(
  load: () => Promise<(session: Session, ...given: Given) => Promise<ExitCode>>,
) => (...given: Given) => Promise<void>;

/** The configuration; undefined where none was named and none is there. */
export function configIfAny({ configPath, environment }: Session): Config | undefined {
  const isWithout = configPath === DEFAULT_CONFIG_PATH && !existsSync(configPath);
  return isWithout ? undefined : loadConfig(configPath, environment);
}

/** Opens the workplace for one command and closes it whatever happens. */
export async function inWorkplace(
  session: Session,
  work: (workplace: Workplace) => Promise<ExitCode>,
  logLevel: LevelWithSilent = "silent",
): Promise<ExitCode> {
  const { configPath, environment, signal } = session;
  const ask = (question: string) => askSecretly(question, signal);
  const workplace = openWorkplace(configPath, environment, stderrLog(logLevel), ask, signal);
  return closedAfter(session, workplace, work);
}

/** As `inWorkplace`, for a command that only looks: it leaves everything in the folder as it is. */
export async function lookingIntoWorkplace(
  session: Session,
  work: (workplace: Workplace) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { configPath, environment, signal } = session;
  const workplace = openWorkplaceForReading(configPath, environment, stderrLog("silent"), signal);
  return closedAfter(session, workplace, work);
}

async function closedAfter(
  { output }: Session,
  workplace: Workplace,
  work: (workplace: Workplace) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work(workplace);
  } finally {
    const taken = workplace.pagingTakenInstead();
    if (taken !== undefined)
      output.say(`The service takes less at a time than it is asked for: set ${taken}.`);
    await workplace.close();
  }
}
