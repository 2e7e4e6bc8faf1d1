/** Runs a command line, and handles every failure here, in one place. */
import { type Command, CommanderError } from "commander";
import type { Environment } from "../config/index.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { refuseOptionsGivenTwice } from "./options.ts";
import { Output } from "./output.ts";
import { addCommands, buildProgram } from "./program.ts";
import type { Runs, Session } from "./session.ts";

const STOPPING =
  "Stopping: nothing new is started; waiting for what is under way. A second Ctrl-C leaves it in doubt.";

const SIGNALS = { SIGHUP: EXIT.hungUp, SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

/** Runs one command line and returns the process's exit code. */
export async function main(argv: readonly string[], environment: Environment): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = buildProgram(environment);
  const signals = watchSignals(() => {
    const output = outputFor(program, environment);
    // The sandbox has nothing in flight, and the daemon logs the signal.
    const isServer = ["sandbox", "serve", "desk"].includes(program.args[0] ?? "");
    if (!output.json && !isServer) output.complain(STOPPING);
  });
  const writeError = watchStreams();
  const session = (): Session => ({
    output: outputFor(program, environment),
    environment,
    configPath: program.opts<GlobalOptions>().config,
    signWith: program.opts<GlobalOptions>().signWith,
    signal: signals.signal,
  });
  const runs: Runs =
    (load) =>
    async (...given) => {
      const run = await load();
      exitCode = await run(session(), ...given);
    };
  addCommands(program, runs);
  refuseOptionsGivenTwice(program);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync(argv, { from: "user" });
    await allWritten();
    const unwritten = writeError();
    if (unwritten !== undefined && exitCode === EXIT.done) exitCode = EXIT.unexpected;
    if (unwritten !== undefined) outputFor(program, environment).complain(await unwrittenText(unwritten));
    return signals.exitCode() ?? exitCode;
  } catch (error) {
    const failureCode = await failureCodeOf(error, outputFor(program, environment));
    // The signal may have caused this failure: then it is not the service's, and no person needs to act.
    const mayBeOfSignal = failureCode === EXIT.service || failureCode === EXIT.personNeeded;
    return mayBeOfSignal ? (signals.exitCode() ?? failureCode) : failureCode;
  } finally {
    signals.unwatch();
  }
}

async function failureCodeOf(error: unknown, output: Output): Promise<ExitCode> {
  // The requested help has been printed.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  // Loaded only now: it searches for private keys, whose patterns take half of a short command's time to load.
  const { reportFailure } = await import("./failure.ts");
  return reportFailure(error, output);
}

/**
 * A signal that comes again within this time is the same order: `timeout` signals its command and the command's
 * group, npm forwards a signal that the terminal already sent, and so does a shell that ends its jobs.
 */
const SAME_ORDER_MS = 1000;

/** Calls `onStop` and aborts on a signal. A SIGINT or SIGTERM that is sent again later ends the process at once. */
function watchSignals(onStop: () => void) {
  const interrupt = new AbortController();
  let exitCode: ExitCode | undefined;
  const onSignal = (signal: keyof typeof SIGNALS) => {
    if (signal !== "SIGHUP") setTimeout(() => process.off(signal, onSignal), SAME_ORDER_MS).unref();
    if (interrupt.signal.aborted) return;
    exitCode = SIGNALS[signal];
    onStop();
    interrupt.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onSignal);
  return {
    signal: interrupt.signal,
    exitCode: () => exitCode,
    unwatch: () => {
      for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
    },
  };
}

/**
 * Lets a command finish its work when stdout fails because its reader has quit or a disk is full. Returns a
 * function that gives the error, if any.
 */
function watchStreams(): () => NodeJS.ErrnoException | undefined {
  let failure: NodeJS.ErrnoException | undefined;
  const onError = (error: NodeJS.ErrnoException) => {
    if (!ENOUGH_SEEN.has(error.code)) failure = error;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", onError);
  return () => failure;
}

interface GlobalOptions {
  readonly config: string;
  readonly signWith?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

function outputFor(program: Command, environment: Environment): Output {
  const { json, quiet, color } = program.opts<GlobalOptions>();
  const isPlain = environment["NO_COLOR"] || environment["TERM"] === "dumb" || process.stdout.isTTY !== true;
  return new Output({ json: json === true, quiet: quiet === true, color: color && !isPlain });
}

/** Error codes of a reader that has quit (`| head`) or a terminal that is gone. */
const ENOUGH_SEEN: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO"]);

/** Plain text for stderr, since stdout cannot be written to. Only the answer is lost, not the work. */
async function unwrittenText({ code = "unknown" }: NodeJS.ErrnoException): Promise<string> {
  const { writeFailure } = await import("../context/files.ts");
  const reason = writeFailure(code);
  return `paydrop: the answer could not be written (${reason}); what was done is done: \`paydrop status\` shows it`;
}

/** Resolves once everything printed so far is written. */
function allWritten(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => resolve()));
}
