/** Declares the commands of daily work: pay, track, status, reconcile, ledger; and the scheduled ones: jobs, serve. */
import type { Command } from "commander";
import { integerFrom } from "./option-readers.ts";
import type { Runs } from "./session.ts";

/** Returns the command `pay`, to which `pay again` is added. */
export function addRunCommands(program: Command, runs: Runs): Command {
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
  return pay;
}

export function addScheduleCommands(program: Command, runs: Runs): void {
  program
    .command("jobs")
    .description("when each scheduled job ran last, how that ended, and when it runs next")
    .action(runs(async () => (await import("./commands/jobs.ts")).jobsCommand));
  program
    .command("serve")
    .description("run the scheduled jobs until stopped")
    .action(runs(async () => (await import("./commands/serve.ts")).serveCommand));
}
