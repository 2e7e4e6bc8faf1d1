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
    .description("update the states of payouts and deposits, and write the result files that changed")
    .option("--all-results", "write all result files, not only those that changed")
    .action(runs(async () => (await import("./commands/pay.ts")).trackCommand));
  program
    .command("status [batchOrReference]")
    .description("show the status of all batches, or of the payments of one")
    .action(runs(async () => (await import("./commands/status.ts")).statusCommand));
  const reconcile = program
    .command("reconcile")
    .description("compare everything the service shows with everything that was asked for")
    .option("--full", "ask the service for everything; without it most nights ask for what may have changed")
    .option("--account <name>", "ask for everything of this custody account, and compare it again")
    .action(runs(async () => (await import("./commands/reconcile.ts")).reconcileCommand));
  reconcile
    .command("baseline")
    .description("take the opening balances; earlier payouts and deposits are not compared or booked")
    .option(
      "--from <day>",
      "the opening balances of this day (2026-12-01), without what moved since",
      readDay,
    )
    .action(runs(async () => (await import("./commands/reconcile.ts")).baselineCommand));
  reconcile
    .command("verify")
    .description(
      "compare everything again, even what agreed before and has not changed, and report what was kept wrong",
    )
    .action(
      runs(async () => {
        const { reconcileCommand } = await import("./commands/reconcile.ts");
        return (session) => reconcileCommand(session, { verify: true });
      }),
    );
  reconcile
    .command("report")
    .description(
      "show what a night found, or the nights of a period, as it was kept; does not ask the service",
    )
    .option("--night <day>", "the last night of this day (2026-12-01); default: the last night", readDay)
    .option("--as-of <day>", "the last night until the end of this day", readDay)
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
    .description("show when each scheduled job last ran, how that ended, and when it runs next")
    .option("--slots <job>", "instead, the newest slots of a job: run, caught up on, or skipped and why")
    .action(runs(async () => (await import("./commands/status.ts")).jobsCommand));
  program
    .command("serve")
    .description("run the scheduled jobs until stopped")
    .action(runs(async () => (await import("./commands/serve.ts")).serveCommand));
  const notices = program
    .command("notices")
    .description("the messages by which people hear of what they have to do");
  notices
    .command("test")
    .description("send a test message on each configured channel, and say what each server answered")
    .option("--to <name>", "a person or sender with a mail address (default: `notices.mail.from`)", readName)
    .action(runs(async () => (await import("./commands/notices.ts")).testNoticesCommand));
  notices
    .command("list")
    .description("show the last messages, to whom, and how their delivery stands")
    .action(runs(async () => (await import("./commands/notices.ts")).listNoticesCommand));
  notices
    .command("replay")
    .description("have `serve` send events to systems again, from a number on")
    .requiredOption(
      "--from <number>",
      "the number of the first event",
      integerFrom(1, Number.MAX_SAFE_INTEGER),
    )
    .action(runs(async () => (await import("./commands/notices.ts")).replayCommand));
  const desk = program
    .command("desk")
    .description("serve the pages where people work, at `desk.listen`, without any secret of the service")
    .action(runs(async () => (await import("./commands/desk.ts")).deskCommand));
  desk
    .command("sign-in <code>")
    .description("sign in, with your SSH key, the browser that shows this code; only if it is yours")
    .addOption(byOption("who signs in"))
    .action(runs(async () => (await import("./commands/desk.ts")).signInCommand));
}
