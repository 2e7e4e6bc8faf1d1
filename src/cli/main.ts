/** The command line: options, commands, and one way out for everything that goes wrong. */
import { Command, CommanderError, Option } from "commander";
import { DEFAULT_CONFIG_PATH } from "../config/default-path.ts";
import type { Environment } from "../config/index.ts";
import { addDecisionCommands } from "./decision-commands.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { byOption, integerFrom, readName } from "./option-readers.ts";
import { Output } from "./output.ts";
import { packageVersion } from "./package-folder.ts";
import { withAcceptances } from "./payout-options.ts";
import { addServiceCommands } from "./service-commands.ts";
import type { Runs, Session } from "./session.ts";

const EXIT_CODES_HELP = `
Exit codes: 0 done, nothing left open; 1 unexpected failure; 2 usage or configuration; 3 input rejected;
4 a person is needed; 5 the service refused or could not be reached, or another run is under way: try again;
129, 130, 143 stopped by a signal.`;

const SANDBOX_HELP = `
Every switch can stand in the seed file; what the command line says goes before it. samples/sandbox.yaml shows each key,
docs/sandbox.md says what they do.`;

const STOPPING =
  "Stopping: nothing more is begun, and what is on its way is awaited. A second Ctrl-C ends at once; what was sent is then in doubt.";

const SIGNALS = { SIGHUP: EXIT.hungUp, SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;

const NONCE_RULES = ["unique", "increasing", "window"];

/** Runs one command line and returns the process's exit code. */
export async function main(argv: readonly string[], environment: Environment): Promise<ExitCode> {
  const interrupt = new AbortController();
  let exitCode: ExitCode = EXIT.done;
  let signalCode: ExitCode | undefined;
  const onSignal = (signal: keyof typeof SIGNALS) => {
    signalCode = SIGNALS[signal];
    const output = outputFor(program, environment);
    // The sandbox has nothing on its way, and the daemon says it in its log.
    const isServer = ["sandbox", "serve"].includes(program.args[0] ?? "");
    if (!output.json && !isServer) output.complain(STOPPING);
    interrupt.abort();
  };
  // A terminal that is closed says so twice: its shell passes it on, and then ends as well.
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal).on("SIGHUP", onSignal);
  // Whoever reads along must not end a command in the middle of its work: neither one that has seen enough, nor a disk that is full.
  let unwritten: NodeJS.ErrnoException | undefined;
  const onUnwritten = (error: NodeJS.ErrnoException) => {
    if (!ENOUGH_SEEN.has(error.code)) unwritten = error;
  };
  for (const stream of [process.stdout, process.stderr]) stream.on("error", onUnwritten);

  const program = buildProgram(environment);
  const session = (): Session => ({
    output: outputFor(program, environment),
    environment,
    configPath: program.opts<GlobalOptions>().config,
    signal: interrupt.signal,
  });
  const runs: Runs =
    (load) =>
    async (...given) => {
      const run = await load();
      exitCode = await run(session(), ...given);
    };
  addCommands(program, runs);
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    await program.parseAsync(argv, { from: "user" });
    await allWritten();
    if (unwritten !== undefined && exitCode === EXIT.done) exitCode = EXIT.unexpected;
    if (unwritten !== undefined) outputFor(program, environment).complain(await unwrittenText(unwritten));
    return signalCode ?? exitCode;
  } catch (error) {
    // The help that was asked for has been printed.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    // It looks for private keys in what was typed, and loads what knows their forms: half of a short command's time.
    const { reportFailure } = await import("./failure.ts");
    const failureCode = reportFailure(error, outputFor(program, environment));
    // What was given up because of the signal is no failure of the service, and no question to a person.
    const mayBeOfSignal = failureCode === EXIT.service || failureCode === EXIT.personNeeded;
    return mayBeOfSignal ? (signalCode ?? failureCode) : failureCode;
  } finally {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
  }
}

function buildProgram(environment: Environment): Command {
  return new Command("paydrop")
    .description(
      "Pays out payout spreadsheets at a Payment Execution Service, once and only once, and books what was paid.",
    )
    .option("-c, --config <file>", "the configuration", environment["PAYDROP_CONFIG"] || DEFAULT_CONFIG_PATH)
    .option("--json", "print one JSON document on stdout")
    .option("--quiet", "print nothing but the answer and errors")
    .option("--no-color", "print without colours")
    .addHelpText("after", EXIT_CODES_HELP)
    .version(packageVersion(), "--version", "print the version")
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
}

function addCommands(program: Command, runs: Runs): void {
  program
    .command("init")
    .description("begin a configuration, a sample chart of accounts and the folders; overwrites nothing")
    .option("--sandbox", "one for `paydrop sandbox`, with nothing to fill in")
    .action(runs(async () => (await import("./commands/init.ts")).initCommand));
  program
    .command("template <file>")
    .description("write an empty payout file to fill in, as NAME.xlsx or NAME.csv")
    .action(runs(async () => (await import("./commands/template.ts")).templateCommand));
  program
    .command("validate <file>")
    .description("check a payout file; stores and sends nothing")
    .option("--rows", "with --json: also the instructions")
    .option("--html <page>", "also write the report as a page to send on")
    .option("--balances", "ask the service what the file would leave on the custody accounts")
    .action(runs(async () => (await import("./commands/validate.ts")).validateCommand));
  program
    .command("rows <file>")
    .description("show what a file holds, cell by cell, before any meaning; needs no configuration")
    .option("--sheet <name>", "only this sheet of a workbook")
    .option("--all", "all rows, also on a terminal")
    .action(runs(async () => (await import("./commands/rows.ts")).rowsCommand));
  program
    .command("submit <file>")
    .description("take a payout file in; it then awaits approval")
    .addOption(byOption("who submits it"))
    .action(runs(async () => (await import("./commands/submit.ts")).submitCommand));
  program
    .command("preview <batchOrDigest>")
    .description("what approving a batch would do: balances, first-time destinations, repeated payments")
    .action(runs(async () => (await import("./commands/preview.ts")).previewCommand));
  withAcceptances(program.command("approve <digest>"), 10_000_000)
    .description("release exactly the batch whose digest was shown")
    .requiredOption("--by <name>", "who approves it; never the one who submitted it", readName)
    .action(runs(async () => (await import("./commands/approve.ts")).approveCommand));
  const pay = program
    .command("pay")
    .description("send what is approved and due, and look for what is in doubt")
    .action(runs(async () => (await import("./commands/pay.ts")).payCommand));
  program
    .command("track")
    .description("ask for the states of payouts and deposits that are on their way")
    .option("--all-results", "write every result file anew, not only those in which something is new")
    .action(runs(async () => (await import("./commands/track.ts")).trackCommand));
  program
    .command("status [batchOrReference]")
    .description("where batches, or the payments of one, stand")
    .action(runs(async () => (await import("./commands/status.ts")).statusCommand));
  const reconcile = program
    .command("reconcile")
    .description("compare everything the service shows with everything that was asked for")
    .action(runs(async () => (await import("./commands/reconcile.ts")).reconcileCommand));
  reconcile
    .command("baseline")
    .description("take the opening balances; what is older is before our time")
    .action(runs(async () => (await import("./commands/reconcile.ts")).baselineCommand));
  program
    .command("ledger")
    .description("the journal")
    .command("export")
    .description("post what has settled and write the next export batch")
    .option("--again <number>", "write what is missing of a batch that was issued", integerFrom(1, 999_999))
    .action(runs(async () => (await import("./commands/ledger-export.ts")).ledgerExportCommand));
  addDecisionCommands(program, pay, runs);
  addServiceCommands(program, runs);
  program
    .command("jobs")
    .description("when each scheduled job ran last, how that ended, and when it runs next")
    .action(runs(async () => (await import("./commands/jobs.ts")).jobsCommand));
  program
    .command("serve")
    .description("run the scheduled jobs until stopped")
    .action(runs(async () => (await import("./commands/serve.ts")).serveCommand));
  program
    .command("sandbox")
    .description("run a Payment Execution Service for trials, on this machine only")
    .option("--port <port>", "port on 127.0.0.1; 0 takes a free one", integerFrom(0, 65_535), 4010)
    .option(
      "--seed <file>",
      "what it begins with and how it behaves, as YAML or JSON (default: the demo's seed)",
    )
    .option("--database <file>", "keep its state in a file; without it everything is forgotten at the end")
    .addOption(
      new Option("--nonce-rule <rule>", "what makes a nonce valid; without it: unique").choices(NONCE_RULES),
    )
    .option("--otp-single-use", "take each one-time code once (default: as often as it comes)")
    .option(
      "--visibility-lag-ms <ms>",
      "how long a created payout or deposit cannot be found (default: 0)",
      integerFrom(0, 86_400_000),
    )
    .option(
      "--step-ms <ms>",
      "how long a payout stays in each state (default: 300)",
      integerFrom(1, 86_400_000),
    )
    .option("--latency-ms <ms>", "how long each answer takes", integerFrom(0, 60_000), 0)
    .option(
      "--random-seed <number>",
      "the same requests get the same identifiers and chances of faults in every run (default: fresh ones)",
      integerFrom(0, 4_294_967_295),
    )
    .option("--control", "serve what arrived, and take fault scripts, under /control")
    .addHelpText("after", SANDBOX_HELP)
    .action(runs(async () => (await import("./commands/sandbox.ts")).sandboxCommand));
  program
    .command("demo")
    .description("the whole way with the samples, against a sandbox of its own")
    .option("--folder <folder>", "where it keeps its files and state", "paydrop-demo")
    .option("--fresh", "forget an earlier demo in that folder first")
    .action(runs(async () => (await import("./commands/demo.ts")).demoCommand));
}

interface GlobalOptions {
  readonly config: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

function outputFor(program: Command, environment: Environment): Output {
  const { json, quiet, color } = program.opts<GlobalOptions>();
  const wantsColor = color && !environment["NO_COLOR"] && process.stdout.isTTY === true;
  return new Output({ json: json === true, quiet: quiet === true, color: wantsColor });
}

/** A reader that has seen enough (`| head`), or a terminal that is gone. */
const ENOUGH_SEEN: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO"]);

/** In plain words, since the answer's own place cannot be written to: what is lost is the answer, not what was done. */
async function unwrittenText({ code = "unknown" }: NodeJS.ErrnoException): Promise<string> {
  const { writeFailure } = await import("../context/files.ts");
  return `paydrop: the answer could not be written (${writeFailure(code)}); what was done is done, and \`paydrop status\` shows it`;
}

/** Resolves behind everything that was printed before. */
function allWritten(): Promise<void> {
  return new Promise((resolve) => process.stdout.write("", () => resolve()));
}
