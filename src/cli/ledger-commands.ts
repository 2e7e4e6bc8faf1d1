/** Declares the commands of the books: posting, export batches, reports and periods. */
import { Argument, type Command, Option } from "commander";
import { BOOKS_REPORT_FORMATS, BOOKS_REPORTS } from "../model/index.ts";
import { byOption, integerFrom, readDay, readMonth, readWords, withReason } from "./options.ts";
import type { Runs } from "./session.ts";

const commands = () => import("./commands/ledger.ts");

export function addLedger(program: Command, runs: Runs): void {
  const ledger = program.command("ledger").description("the journal, its exports and reports");
  ledger
    .command("answer <file>")
    .description("read the ERP's answer to an export batch")
    .option("--target <name>", "whose; default: the only target that answers")
    .action(runs(async () => (await commands()).ledgerAnswerCommand));
  ledger
    .command("export")
    .description("post what has settled and write the next export batch")
    .option("--target <name>", "only for this target: journal, or a name in `ledger.exports`")
    .option("--period <month>", "only what is booked in this month (2026-10)", readMonth)
    .option("--again <number>", "write the missing files of a batch that was issued", integerFrom(1, 999_999))
    .action(runs(async () => (await commands()).ledgerExportCommand));
  ledger
    .command("verify")
    .description("derive the whole journal again and compare it with what was posted")
    .action(runs(async () => (await commands()).ledgerVerifyCommand));
  ledger
    .command("report")
    .description("show a report of the books, or write it as a file")
    .addArgument(new Argument("<report>", "which one").choices([...BOOKS_REPORTS]))
    .option("--from <day>", "booked on this day or later", readDay)
    .option("--to <day>", "booked on this day or earlier", readDay)
    .option("--as-of <day>", "as known at the end of this day", readDay)
    .addOption(
      new Option("--format <format>", "write it to a file of this format").choices([...BOOKS_REPORT_FORMATS]),
    )
    .option("--out <path>", "the file, or a folder for it; default: `folders.ledger`")
    .action(runs(async () => (await commands()).ledgerReportCommand));
  ledger
    .command("close")
    .description("close a month by a controller's signature once its checklist is done")
    .argument("<month>", "such as 2026-11", readMonth)
    .option("--accept-suspense <why>", "accept what the month leaves on suspense", readWords)
    .option("--check", "post what has settled and show the checklist; close nothing")
    .addOption(byOption("who closes it"))
    .action(runs(async () => (await commands()).closePeriodCommand));
  withReason(ledger.command("reopen").argument("<month>", "such as 2026-11", readMonth))
    .description("open a closed month again, and those after it")
    .action(runs(async () => (await commands()).reopenPeriodCommand));
  withReason(
    ledger
      .command("settle")
      .argument("<names...>", "references, payouts or deposits that `ledger report held` lists"),
  )
    .description("stop reporting held movements, which are never booked; a controller signs it")
    .action(runs(async () => (await commands()).settleHeldCommand));
  withReason(ledger.command("excuse").argument("<number>", "of an export batch", integerFrom(1, 999_999)))
    .description("stop waiting for the ERP's answer to an export batch; a controller signs it")
    .option("--target <name>", "whose; default: the only target with this number")
    .action(runs(async () => (await commands()).excuseExportCommand));
  ledger
    .command("check-chart [file]")
    .description("list what the chart of accounts lacks, says twice, never uses, or names as no target can")
    .action(runs(async () => (await commands()).checkChartCommand));
  ledger
    .command("remap")
    .description("book suspense again by the chart as it is now; a controller signs it")
    .option("--check", "only show what would change")
    .addOption(byOption("who decides it"))
    .action(runs(async () => (await commands()).ledgerRemapCommand));
  ledger
    .command("periods")
    .description("list closed months, by whom, and the next")
    .action(runs(async () => (await commands()).periodsCommand));
}
