/** The parameter of every command: where to print, which configuration to open, and when to stop. */
import { existsSync } from "node:fs";
import type { LevelWithSilent } from "pino";
import { DEFAULT_CONFIG_PATH } from "../config/default-path.ts";
import { type Config, type Environment, loadConfig } from "../config/index.ts";
import { stderrLog } from "../context/log.ts";
import { refuseAnothers } from "../workplace/bound-store.ts";
import type { Ask } from "../workplace/service.ts";
import type { Sign } from "../workplace/sign.ts";
import { openWorkplace, openWorkplaceForReading, type Workplace } from "../workplace/workplace.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Output } from "./output.ts";

export interface Session {
  readonly output: Output;
  readonly environment: Environment;
  readonly configPath: string;
  /** The key file of `--sign-with`. */
  readonly signWith?: string | undefined;
  /** Aborts at SIGHUP, SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * Creates the action of a command. The command's module is loaded only when it runs, since loading all of them
 * would take most of a short command's time. Commander's arguments and options are passed on after the session.
 */
export type Runs = <Given extends readonly unknown[]>(
  load: () => Promise<(session: Session, ...given: Given) => Promise<ExitCode>>,
) => (...given: Given) => Promise<void>;

/** The configuration; undefined if the user named none and none exists. */
export function configIfAny({ configPath, environment }: Session): Config | undefined {
  const isWithout = configPath === DEFAULT_CONFIG_PATH && !existsSync(configPath);
  return isWithout ? undefined : loadConfig(configPath, environment);
}

/** Opens the workplace for one command and always closes it. Throws DATABASE_OF_ANOTHER_ROOT. */
export function inWorkplace(
  session: Session,
  work: (workplace: Workplace) => Promise<ExitCode>,
  logLevel: LevelWithSilent = "silent",
): Promise<ExitCode> {
  const checked = async (workplace: Workplace) => {
    await refuseAnothers(workplace);
    return work(workplace);
  };
  return inUncheckedWorkplace(session, checked, logLevel);
}

/** As `inWorkplace`, for commands that must work while the database does not answer. */
export async function inUncheckedWorkplace(
  session: Session,
  work: (workplace: Workplace) => Promise<ExitCode>,
  logLevel: LevelWithSilent = "silent",
): Promise<ExitCode> {
  const { configPath, environment, signal } = session;
  const ask: Ask = async (question) => (await import("./terminal.ts")).askSecretly(question, signal);
  const sign: Sign = async (asked) => (await import("./ssh-signer.ts")).sshSigner(session)(asked);
  const log = stderrLog(logLevel);
  const workplace = openWorkplace(configPath, environment, log, ask, signal, sign);
  return closedAfter(session, workplace, work);
}

/** As `inWorkplace`, for a read-only command: nothing in the folder changes. */
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
  // Settings that are accepted but should be changed.
  for (const { message, fix } of workplace.config.remarks) output.complain(`${message}. ${fix}`);
  try {
    return await work(workplace);
  } finally {
    const taken = workplace.pagingTakenInstead();
    if (taken !== undefined) output.say(`The service accepts only smaller requests: set ${taken}.`);
    await workplace.close();
  }
}
