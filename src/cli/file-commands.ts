/** Commands for a workplace and its files: init, template, validate, rows, submit, preview, approve. */
import type { Command } from "commander";
import { byOption, integerFrom, listOf, readName } from "./options.ts";
import { withAcceptances } from "./payout-options.ts";
import type { Runs } from "./session.ts";

const ACCEPT_READING = "how many questions about the file were seen; all its rows are paid";

export function addFileCommands(program: Command, runs: Runs): void {
  program
    .command("init")
    .description("create a configuration, a sample chart of accounts and the folders; overwrites nothing")
    .option("--sandbox", "for `paydrop sandbox`, with nothing to fill in")
    .option("--yes", "ask nothing, name what is to be filled in")
    .action(runs(async () => (await import("./commands/init.ts")).initCommand));
  program
    .command("template <file>")
    .description("write an empty payout file to fill in, as NAME.xlsx or NAME.csv")
    .action(runs(async () => (await import("./commands/setup.ts")).templateCommand));
  program
    .command("validate <file>")
    .description("check a payout file; stores and sends nothing")
    .option("--rows", "with --json: also the instructions")
    .option("--balances", "ask the service what the file would leave on the custody accounts")
    .action(runs(async () => (await import("./commands/validate.ts")).validateCommand));
  program
    .command("rows <file>")
    .description("show the cells of a file uninterpreted; needs no configuration")
    .option("--sheet <name>", "only this sheet of a workbook")
    .option("--all", "all rows, also on a terminal")
    .action(runs(async () => (await import("./commands/validate.ts")).rowsCommand));
  program
    .command("submit <file>")
    .description("submit a payout file, which then awaits approval")
    .addOption(byOption("who submits it"))
    .action(runs(async () => (await import("./commands/approval.ts")).submitCommand));
  program
    .command("preview <batchOrDigest>")
    .description("show what approving a batch would do")
    .action(runs(async () => (await import("./commands/approval.ts")).previewCommand));
  withAcceptances(program.command("approve <batchOrDigest>"), 10_000_000)
    .description("release the batch of this number, or exactly the one whose digest was shown")
    .requiredOption("--by <name>", "who approves it, never its submitter", readName)
    .option("--accept-reading <count>", ACCEPT_READING, integerFrom(0, 10_000_000))
    .action(runs(async () => (await import("./commands/approval.ts")).approveCommand));
  program
    .command("layout")
    .description("decide how a sender's files are read")
    .command("accept <fileOrBatch>")
    .description("answer a file's questions; all rows but those left out are paid")
    .requiredOption("--by <name>", "who accepts it, never its submitter", readName)
    .option("--column <heading=column>", "what a column holds; `ignore` for nothing", listOf(String))
    .option("--leave-out <heading=value>", "a value whose rows are not to be paid", listOf(String))
    .action(runs(async () => (await import("./commands/layout.ts")).acceptLayoutCommand));
  const suspected = program
    .command("suspected")
    .description("list files kept aside for a suspected private key")
    .action(runs(async () => (await import("./commands/suspected.ts")).suspectedCommand));
  suspected
    .command("remove <name...>")
    .description("remove such files for good")
    .addOption(byOption("who removes them"))
    .action(runs(async () => (await import("./commands/suspected.ts")).removeSuspectedCommand));
}
