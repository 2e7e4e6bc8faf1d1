/**
 * Declares the commands for decisions (doubts, breaks, re-opening, paying again, stopping, accepting a configuration)
 * and for the record (a payment's story, the audit, a copy of the database).
 */
import type { Command } from "commander";
import { withReason } from "./decision-options.ts";
import { integerFrom, readId } from "./option-readers.ts";
import type { Runs } from "./session.ts";

const DESPITE_HELP = "with --abandon: also where the look right before was incomplete, or could not be made";

/** `pay`: the command to which `pay again` is added. */
export function addDecisionCommands(program: Command, pay: Command, runs: Runs): void {
  addDoubt(program, runs);
  addBreaks(program, runs);
  addPaymentDecisions(program, pay, runs);
  addStopOrder(program, runs);
  addConfiguration(program, runs);
  addRecord(program, runs);
}

function addDoubt(program: Command, runs: Runs): void {
  const doubt = program
    .command("doubt")
    .description("list payments and changes with an unknown outcome: the evidence, and what may be decided")
    .action(runs(async () => (await import("./commands/doubt.ts")).doubtCommand));
  withReason(doubt.command("resolve <reference>"))
    .description(
      "decide about a payment that is in doubt or held, whose payout showed up after it was over, or that was given another payment's payout",
    )
    .option("--accept <payoutId>", "this payout of the service is the payment", readId)
    .option("--resend", "send the same request once more")
    .option("--abandon", "give it up; reconciliation keeps watching for it")
    .option("--despite-incomplete-look", DESPITE_HELP)
    .option("--yes", "do it without asking")
    .action(runs(async () => (await import("./commands/doubt.ts")).resolveCommand));
  withReason(doubt.command("resolve-change"))
    .argument("<number>", "as `paydrop doubt` numbers it", integerFrom(1, 2 ** 31))
    .description("decide about a deposit, a void or an authorization that is in doubt")
    .option("--accept <id>", "it was done: the created deposit, or what was voided or authorized", readId)
    .option("--abandon", "give it up")
    .option("--despite-incomplete-look", DESPITE_HELP)
    .action(runs(async () => (await import("./commands/doubt.ts")).resolveChangeCommand));
}

function addBreaks(program: Command, runs: Runs): void {
  const breaks = program
    .command("breaks")
    .description("list what the last comparison found that somebody has to look at; does not ask the service")
    .action(runs(async () => (await import("./commands/breaks.ts")).breaksCommand));
  withReason(breaks.command("settle <name...>"))
    .description(
      "say of breaks, by reference, payoutId or depositId, that they need nothing more; they open again when something else is found",
    )
    .action(runs(async () => (await import("./commands/breaks.ts")).settleCommand));
}

function addPaymentDecisions(program: Command, pay: Command, runs: Runs): void {
  withReason(pay.command("again <reference>"))
    .description("pay once more what was refused or failed: a payment of its own, approved afresh")
    .option("--as <reference>", "its own reference (default: REFERENCE-AGAIN)")
    .action(runs(async () => (await import("./commands/pay-again.ts")).payAgainCommand));
  withReason(program.command("reopen <batchOrReference>"))
    .description(
      "send a refused payment, or all refused ones of a batch, again once what the service named is put right",
    )
    .action(runs(async () => (await import("./commands/reopen.ts")).reopenCommand));
  withReason(program.command("recall <batchOrReference>").alias("reject"))
    .description(
      "take back, for good, what has not been sent: an approved payment, or a batch, also one that still awaits approval",
    )
    .action(runs(async () => (await import("./commands/recall.ts")).recallCommand));
}

function addStopOrder(program: Command, runs: Runs): void {
  withReason(program.command("stop"))
    .description("send nothing any more, also in runs that are under way, until `go`")
    .action(runs(async () => (await import("./commands/stop.ts")).stopCommand));
  withReason(program.command("go"))
    .description("end a `stop`")
    .action(runs(async () => (await import("./commands/stop.ts")).goCommand));
}

function addConfiguration(program: Command, runs: Runs): void {
  const configuration = program
    .command("configuration")
    .description("what the machines that share a database must have alike");
  withReason(configuration.command("accept"))
    .description("say that this machine's is the right one; the others send nothing until theirs is the same")
    .action(runs(async () => (await import("./commands/configuration.ts")).acceptConfigurationCommand));
}

function addRecord(program: Command, runs: Runs): void {
  program
    .command("explain <reference>")
    .description("the story of one payment: who did what, what left, what came back, what is booked")
    .action(runs(async () => (await import("./commands/explain.ts")).explainCommand));
  program
    .command("backup <file>")
    .description("copy the database as it is now, also while others work; overwrites nothing")
    .action(runs(async () => (await import("./commands/backup.ts")).backupCommand));
  program
    .command("audit")
    .description("the record of who did what to money")
    .command("verify")
    .description("prove that the record was not changed")
    .action(runs(async () => (await import("./commands/audit.ts")).auditVerifyCommand));
}
