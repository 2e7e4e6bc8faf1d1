/** Declares the commands of daily work: pay, track, status, reconcile; and the scheduled ones: jobs, serve. */
import { type Command, Option } from "commander";
import { REPORT_FORMATS } from "../model/index.ts";
import { addLedger } from "./ledger-commands.ts";
import { byOption, integerFrom, readDay, readName } from "./options.ts";
import type { Runs } from "./session.ts";

/** Returns the command `pay`, to which `pay again` is added. */
export function addRunCommands(program: Command, runs: Runs): Command {
  const pay = program
    .command("pay")
    .description("send what is approved and due, and look up what is in doubt")
    .action(runs(async () => (await import("./commands/pay.ts")).payCommand));
  program
    .command("track")
    .description("update states of payouts and deposits, and write changed result files")
    .option("--all-results", "write all result files, not only those that changed")
    .action(runs(async () => (await import("./commands/pay.ts")).trackCommand));
  program
    .command("status [batchOrReference]")
    .description("show the status of all batches, or of the payments of one")
    .action(runs(async () => (await import("./commands/status.ts")).statusCommand));
  const reconcile = program
    .command("reconcile")
    .description("compare everything the service shows with everything that was asked for")
    .option("--full", "ask for everything, not only for what may have changed")
    .option("--account <name>", "ask for everything of this custody account")
    .action(runs(async () => (await import("./commands/reconcile.ts")).reconcileCommand));
  reconcile
    .command("baseline")
    .description("take the opening balances; what came earlier is not compared or booked")
    .option("--from <day>", "those of this day, without what moved since", readDay)
    .action(runs(async () => (await import("./commands/reconcile.ts")).baselineCommand));
  reconcile
    .command("verify")
    .description("compare everything again, even what agreed before, and report what was kept wrong")
    .action(runs(async () => (await import("./commands/reconcile.ts")).reconcileVerifyCommand));
  reconcile
    .command("report")
    .description("show what a night, or the nights of a period, found")
    .option("--night <day>", "the last night of this day; default: the last night", readDay)
    .option("--as-of <day>", "the last one until the end of this day", readDay)
    .option("--from <day>", "the nights from this day on", readDay)
    .option("--to <day>", "the nights until this day", readDay)
    .addOption(
      new Option("--format <format>", "write it to a file of this format").choices([...REPORT_FORMATS]),
    )
    .option("--out <path>", "the file, or a folder for it; default: `folders.nights`")
    .action(runs(async () => (await import("./commands/night-report.ts")).nightReportCommand));
  addLedger(program, runs);
  return pay;
}

export function addScheduleCommands(program: Command, runs: Runs): void {
  program
    .command("jobs")
    .description("show each job's last run, its end, and the next run")
    .option("--slots <job>", "instead, a job's newest slots: run, caught up on, or skipped and why")
    .action(runs(async () => (await import("./commands/status.ts")).jobsCommand));
  program
    .command("serve")
    .description("run the scheduled jobs until stopped")
    .action(runs(async () => (await import("./commands/serve.ts")).serveCommand));
  const notices = program.command("notices").description("messages to people");
  notices
    .command("test")
    .description("send a test message on each channel, and say what the servers answered")
    .option("--to <name>", "a person or sender (default: `notices.mail.from`)", readName)
    .action(runs(async () => (await import("./commands/notices.ts")).testNoticesCommand));
  notices
    .command("list")
    .description("show the last messages and their delivery")
    .action(runs(async () => (await import("./commands/notices.ts")).listNoticesCommand));
  notices
    .command("replay")
    .description("have `serve` send events again, from a number on")
    .requiredOption(
      "--from <number>",
      "the number of the first event",
      integerFrom(1, Number.MAX_SAFE_INTEGER),
    )
    .action(runs(async () => (await import("./commands/notices.ts")).replayCommand));
  const desk = program
    .command("desk")
    .description("serve the desk without any secret of the service")
    .action(runs(async () => (await import("./commands/desk.ts")).deskCommand));
  desk
    .command("sign-in <code>")
    .description("sign in, with your SSH key, the browser that shows this code; only if it is yours")
    .addOption(byOption("who signs in"))
    .action(runs(async () => (await import("./commands/desk.ts")).signInCommand));
}
