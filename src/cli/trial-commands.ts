/** The commands for trials: the sandbox and the demo. */
import { type Command, Option } from "commander";
import { integerFrom } from "./options.ts";
import type { Runs } from "./session.ts";

const SANDBOX_HELP = `
Every option can also be set in the seed file; the command line takes precedence. samples/sandbox.yaml shows each key,
docs/sandbox.md says what they do.`;

const NONCE_RULES = ["unique", "increasing", "window"];

export function addTrialCommands(program: Command, runs: Runs): void {
  addSandbox(program, runs);
  program
    .command("demo")
    .description("take the samples all the way to the ledger files, at a sandbox")
    .option("--folder <folder>", "its files and state (default: paydrop-demo, or paydrop-desk)")
    .option("--fresh", "forget an earlier demo there")
    .option("--desk", "instead, open the desk in a trial")
    .option("--port <port>", "of the desk, on localhost", integerFrom(1, 65_534), 8080)
    .action(runs(async () => (await import("./commands/demo.ts")).demoCommand));
}

function addSandbox(program: Command, runs: Runs): void {
  program
    .command("sandbox")
    .description("run a Payment Execution Service for trials")
    .option("--port <port>", "on 127.0.0.1; 0 for a free one", integerFrom(0, 65_535), 4010)
    .option("--seed <file>", "what it begins with and does, as YAML or JSON (default: the demo's)")
    .option("--database <file>", "keep its state in a file")
    .addOption(
      new Option("--nonce-rule <rule>", "what makes a nonce valid; without it: unique").choices(NONCE_RULES),
    )
    .option("--otp-single-use", "accept each one-time code only once (default: any number of times)")
    .option(
      "--visibility-lag-ms <ms>",
      "how long what was created cannot be found (default: 0)",
      integerFrom(0, 86_400_000),
    )
    .option("--step-ms <ms>", "how long each state lasts (default: 300)", integerFrom(1, 86_400_000))
    .option("--latency-ms <ms>", "how long each answer takes", integerFrom(0, 60_000), 0)
    .option(
      "--random-seed <number>",
      "the same requests get the same identifiers and faults (default: fresh ones)",
      integerFrom(0, 4_294_967_295),
    )
    .option("--control", "serve /control: what arrived, fault scripts")
    .addHelpText("after", SANDBOX_HELP)
    .action(runs(async () => (await import("./commands/sandbox.ts")).sandboxCommand));
}
