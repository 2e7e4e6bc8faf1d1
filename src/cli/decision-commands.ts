/**
 * Declares the commands for decisions (doubts, breaks, re-opening, paying again, stopping, accepting a
 * configuration) and for the record (a payment's story, the audit, a copy of the database).
 */
import { type Command, Option } from "commander";
import { RECORD_KINDS } from "../model/record-kind.ts";
import { addBreaks } from "./breaks-commands.ts";
import { integerFrom, readDay, readId, readName, withReason } from "./options.ts";
import type { Runs } from "./session.ts";

const DESPITE_HELP = "with --abandon: even if the look before it was incomplete";

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
  withReason(doubt.command("resolve <batchOrReference>"))
    .description(
      "decide about a payment in doubt, held or refused, or whose payout appeared late or is another payment's",
    )
    .option(
      "--accept [payoutId]",
      "this payout is the payment; without an id, the one that looks have shown",
      readId,
    )
    .option("--resend", "send the same request again")
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

function addPaymentDecisions(program: Command, pay: Command, runs: Runs): void {
  withReason(pay.command("again <reference>"))
    .description("pay again what was refused or failed: a new payment, with an approval of its own")
    .option("--as <reference>", "the reference of the new payment (default: REFERENCE-AGAIN)")
    .action(runs(async () => (await import("./commands/pay.ts")).payAgainCommand));
  withReason(program.command("reopen <batchOrReference>"))
    .description("make a refused payment, or all of a batch, due again")
    .action(runs(async () => (await import("./commands/decide.ts")).reopenCommand));
  withReason(program.command("reject <batchOrReference>").alias("recall"))
    .description("reject for good what has not been sent: a payment or a batch")
    .action(runs(async () => (await import("./commands/decide.ts")).recallCommand));
}

function addStopOrder(program: Command, runs: Runs): void {
  withReason(program.command("stop"))
    .description("stop all sending, also in runs that are under way, until `go`")
    .action(runs(async () => (await import("./commands/decide.ts")).stopCommand));
  withReason(program.command("go"))
    .description("lift a `stop`")
    .action(runs(async () => (await import("./commands/decide.ts")).goCommand));
}

function addConfiguration(program: Command, runs: Runs): void {
  const configuration = program
    .command("configuration")
    .description("decide whose settings hold for machines that share a database");
  withReason(configuration.command("accept"))
    .description("declare this machine's configuration right; others send nothing until theirs is the same")
    .action(runs(async () => (await import("./commands/decide.ts")).acceptConfigurationCommand));
}

const ENTRIES_BY_DEFAULT = 50;

function withRecordFilter(command: Command): Command {
  return command
    .option("--from <day>", "from this day on, in the company's time zone", readDay)
    .option("--to <day>", "until this day", readDay)
    .option("--about <name>", "a batch with its payments, or a part of a reference")
    .option("--person <name>", "by this person, or by `paydrop`", readName)
    .addOption(new Option("--kind <kind>", "only these").choices(RECORD_KINDS));
}

function addRecord(program: Command, runs: Runs): void {
  program
    .command("explain <nameOrCode>")
    .description(
      "show the history of a payment, payout, batch, deposit, transaction (hash), break, journal entry " +
        "or export batch; or what a fault's code means",
    )
    .action(runs(async () => (await import("./commands/record.ts")).explainCommand));
  const backup = program
    .command("backup <file>")
    .description("copy the database, also while others work; overwrites nothing")
    .action(runs(async () => (await import("./commands/record.ts")).backupCommand));
  backup
    .command("verify <file>")
    .description("restore a backup aside and verify record, last night and sums")
    .action(runs(async () => (await import("./commands/kept.ts")).backupVerifyCommand));
  program
    .command("migrate")
    .description("move the database from a SQLite file to an empty one on a PostgreSQL server")
    .requiredOption("--from <database>", "sqlite:PATH, this configuration's")
    .requiredOption("--to <database>", "postgresql (by DATABASE_URL), or a URL without a password")
    .action(runs(async () => (await import("./commands/migrate.ts")).migrateCommand));
  program
    .command("retention")
    .description("remove what is older than `retention` says and no open matter needs")
    .option("--dry-run", "only list what would go")
    .action(runs(async () => (await import("./commands/kept.ts")).retentionCommand));
  const audit = program.command("audit").description("check the record of who did what to money");
  audit
    .command("verify")
    .description("verify that the record is unchanged")
    .action(runs(async () => (await import("./commands/record.ts")).auditVerifyCommand));
  withRecordFilter(audit.command("list"))
    .description("list the record's entries, newest first; verifies nothing")
    .option("--limit <count>", "how many at most", integerFrom(1, 100_000), ENTRIES_BY_DEFAULT)
    .action(runs(async () => (await import("./commands/audit.ts")).auditListCommand));
  withRecordFilter(audit.command("export <file>"))
    .description("write the record's entries into a new file.csv or file.jsonl")
    .action(runs(async () => (await import("./commands/audit.ts")).auditExportCommand));
  audit
    .command("evidence <batch> <folder>")
    .description("write into a new folder what people signed about a batch")
    .action(runs(async () => (await import("./commands/record.ts")).auditEvidenceCommand));
  program
    .command("evidence <batch> <file>")
    .description("write everything about a batch into one ZIP file for an auditor")
    .action(runs(async () => (await import("./commands/record.ts")).evidenceCommand));
}
