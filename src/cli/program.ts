/** The tree of commands and options; docs/reference/commands.md lists it. The caller runs the command. */
import { Command } from "commander";
import { DEFAULT_CONFIG_PATH } from "../config/default-path.ts";
import type { Environment } from "../config/index.ts";
import { addCompletionCommand } from "./completion-command.ts";
import { addDecisionCommands } from "./decision-commands.ts";
import { EXIT_MEANINGS } from "./exit-code.ts";
import { addFileCommands } from "./file-commands.ts";
import { packageVersion } from "./package-folder.ts";
import { addPeopleCommands } from "./people-commands.ts";
import { addRunCommands, addScheduleCommands } from "./run-commands.ts";
import { addServiceCommands } from "./service-commands.ts";
import type { Runs } from "./session.ts";
import { addTrialCommands } from "./trial-commands.ts";

const EXIT_CODES_HELP = `
Exit codes:
${EXIT_MEANINGS.map(([codes, meaning]) => `  ${codes.padEnd(15)}${meaning}`).join("\n")}`;

const SIGN_WITH = "the SSH key to sign with (default: one of the signer's in the SSH agent or ~/.ssh)";

/**
 * The program without its commands, which `addCommands` adds. Throws commander's own errors instead of ending the
 * process.
 */
export function buildProgram(environment: Environment): Command {
  return new Command("paydrop")
    .description(
      "Pays out payout spreadsheets at a Payment Execution Service, once and only once, and books what was paid.",
    )
    .option("-c, --config <file>", "the configuration", environment["PAYDROP_CONFIG"] || DEFAULT_CONFIG_PATH)
    .option("--sign-with <file>", SIGN_WITH)
    .option("--json", "print one JSON document on stdout")
    .option("--quiet", "print nothing but the answer and errors")
    .option("--no-color", "print without colours")
    .addHelpText("after", EXIT_CODES_HELP)
    .version(packageVersion(), "--version", "print the version")
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
}

/** Adds all commands, in the order of the help. */
export function addCommands(program: Command, runs: Runs): void {
  addFileCommands(program.commandsGroup("Files and their approval:"), runs);
  const pay = addRunCommands(program.commandsGroup("Payment, reconciliation, ledger:"), runs);
  addDecisionCommands(program.commandsGroup("Decisions and records:"), pay, runs);
  addPeopleCommands(program.commandsGroup("People:"), runs);
  addServiceCommands(program.commandsGroup("At the service:"), runs);
  addScheduleCommands(program.commandsGroup("By schedule:"), runs);
  addTrialCommands(program.commandsGroup("Trials:"), runs);
  addCompletionCommand(program.commandsGroup("Shells:"), runs);
}
