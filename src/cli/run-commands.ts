/** Declares the commands of daily work: pay, track, status, reconcile, ledger; and the scheduled ones: jobs, serve. */
import { Argument, type Command, Option } from "commander";
import { BOOKS_REPORT_FORMATS, BOOKS_REPORTS, REPORT_FORMATS } from "../model/index.ts";
import { byOption, integerFrom, readDay, readMonth, readName, readWords, withReason } from "./options.ts";
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
  const ledger = program
    .command("ledger")
    .description("post to the journal, export it, report it and verify it");
  ledger
    .command("answer <file>")
    .description("read the ERP's answer to an export batch: which entries it posted, and which it refused")
    .option("--target <name>", "whose answer it is; default: the only target that answers")
    .action(runs(async () => (await import("./commands/ledger-answer.ts")).ledgerAnswerCommand));
  ledger
    .command("export")
    .description("post what has settled and write the next export batch")
    .option("--target <name>", "only for this target: journal, or a name in `ledger.exports`")
    .option("--period <month>", "only what is booked in this month (2026-10)", readMonth)
    .option("--again <number>", "write the missing files of a batch that was issued", integerFrom(1, 999_999))
    .action(runs(async () => (await import("./commands/ledger-export.ts")).ledgerExportCommand));
  ledger
    .command("verify")
    .description("derive the whole journal from zero and compare it with what was posted; changes nothing")
    .action(runs(async () => (await import("./commands/ledger-verify.ts")).ledgerVerifyCommand));
  ledger
    .command("report")
    .description("show a report of the books, or write it as a file; does not ask the service")
    .addArgument(new Argument("<report>", "which one").choices([...BOOKS_REPORTS]))
    .option("--from <day>", "what is booked on this day (2026-11-01) or later", readDay)
    .option("--to <day>", "what is booked on this day or earlier", readDay)
    .option("--as-of <day>", "only what was known at the end of this day", readDay)
    .addOption(
      new Option("--format <format>", "write it to a file of this format").choices([...BOOKS_REPORT_FORMATS]),
    )
    .option("--out <path>", "the file, or a folder for it; default: `folders.ledger`")
    .action(runs(async () => (await import("./commands/ledger-report.ts")).ledgerReportCommand));
  ledger
    .command("close")
    .description(
      "go through the checklist of a month, and close it by a controller's signature once every point is done",
    )
    .argument("<month>", "such as 2026-11", readMonth)
    .option("--accept-suspense <why>", "accept what the month leaves on suspense, for this reason", readWords)
    .option("--check", "only show the checklist")
    .addOption(byOption("who closes it"))
    .action(runs(async () => (await import("./commands/ledger-periods.ts")).closePeriodCommand));
  withReason(ledger.command("reopen").argument("<month>", "such as 2026-11", readMonth))
    .description("open a closed month again, and those after it")
    .action(runs(async () => (await import("./commands/ledger-periods.ts")).reopenPeriodCommand));
  withReason(
    ledger
      .command("settle")
      .argument("<names...>", "references, payouts or deposits that `ledger report held` lists"),
  )
    .description("stop reporting held movements every night; a controller signs it, and nothing is booked")
    .action(runs(async () => (await import("./commands/ledger-settle.ts")).settleHeldCommand));
  withReason(ledger.command("excuse").argument("<number>", "of an export batch", integerFrom(1, 999_999)))
    .description("stop waiting for the ERP's answer to an export batch; a controller signs it")
    .option("--target <name>", "to whom it was issued; default: the only target that has this number")
    .action(runs(async () => (await import("./commands/ledger-settle.ts")).excuseExportCommand));
  ledger
    .command("check-chart [file]")
    .description(
      "list what the chart of accounts lacks, says twice, never uses, or names as no target can; changes nothing",
    )
    .action(runs(async () => (await import("./commands/ledger-check-chart.ts")).checkChartCommand));
  ledger
    .command("remap")
    .description(
      "book entries on suspense again to the accounts that the chart has by now; a controller signs it",
    )
    .option("--check", "only show what would change")
    .addOption(byOption("who decides it"))
    .action(runs(async () => (await import("./commands/ledger-remap.ts")).ledgerRemapCommand));
  ledger
    .command("periods")
    .description("list the months that were closed, by whom, and which is next")
    .action(runs(async () => (await import("./commands/ledger-periods.ts")).periodsCommand));
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
