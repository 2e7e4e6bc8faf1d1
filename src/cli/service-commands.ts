/** Declares the commands that talk to the service directly: payouts, deposits, balances, accounts, pilot. */
import type { Command } from "commander";
import { DEPOSIT_STATES, PAYOUT_STATES } from "../wire/states.ts";
import { byOption, integerFrom, listOf, readName, readWords, withReason } from "./options.ts";
import { withAcceptances, withPayoutColumns } from "./payout-options.ts";
import { BY_ROUTE, withSearchOptions } from "./search-options.ts";
import type { Runs } from "./session.ts";

const BY = "who does this";
const YES = "do it without asking";

export function addServiceCommands(program: Command, runs: Runs): void {
  addPayouts(
    program.command("payouts").description("list, show, create, authorize and void the service's payouts"),
    runs,
  );
  addDeposits(
    program.command("deposits").description("list, show, create and void the service's deposits"),
    runs,
  );
  program
    .command("balances [account...]")
    .description("show the balances of the named custody accounts; by default, of all in the configuration")
    .option("--route", BY_ROUTE)
    .action(runs(async () => (await import("./commands/balances.ts")).balancesCommand));
  program
    .command("doctor")
    .description(
      "check everything that must be right before money moves; changes nothing, here or at the service",
    )
    .action(runs(async () => (await import("./commands/setup.ts")).doctorCommand));
  program
    .command("accounts")
    .description("list the accounts in which a user of the service may approve")
    .requiredOption("--user <username>", "the service's user")
    .action(runs(async () => (await import("./commands/balances.ts")).accountsCommand));
  addPilot(program, runs);
}

function addPayouts(payouts: Command, runs: Runs): void {
  withSearchOptions(payouts.command("find"), "payoutIds", PAYOUT_STATES)
    .description("list payouts")
    .action(runs(async () => (await import("./commands/payouts.ts")).findPayoutsCommand));
  payouts
    .command("show <idOrReference>")
    .description("show a payout, and who must still authorize it")
    .action(runs(async () => (await import("./commands/payouts.ts")).showPayoutCommand));
  withAcceptances(withPayoutColumns(payouts.command("create")), 1)
    .description("create one payout, which is checked, approved and sent like a file of one row")
    .addOption(byOption(BY))
    .option(
      "--approved-by <name...>",
      "who approves it; once all that the rules require are named, it is sent at once",
      listOf(readName),
    )
    .option("--yes", YES)
    .action(runs(async () => (await import("./commands/payouts.ts")).createPayoutCommand));
  payouts
    .command("authorize <idOrReference>")
    .description("give one user's authorization")
    .option("--username <username>", "the service's user who authorizes (default: `service.username`)")
    .addOption(byOption(BY))
    .option("--yes", YES)
    .action(runs(async () => (await import("./commands/payouts.ts")).authorizePayoutCommand));
  payouts
    .command("void <idOrReference>")
    .description("cancel a payout; the service does it only for accounts of one Bitcoin custody kind")
    .addOption(byOption(BY))
    .option("--yes", YES)
    .option("--route", BY_ROUTE)
    .action(runs(async () => (await import("./commands/payouts.ts")).voidPayoutCommand));
}

function addDeposits(deposits: Command, runs: Runs): void {
  withSearchOptions(deposits.command("find"), "depositIds", DEPOSIT_STATES)
    .description("list deposits")
    .action(runs(async () => (await import("./commands/deposits.ts")).findDepositsCommand));
  deposits
    .command("show <idOrReference>")
    .description("show a deposit")
    .action(runs(async () => (await import("./commands/deposits.ts")).showDepositCommand));
  deposits
    .command("create")
    .description("create one deposit, only once per reference")
    .requiredOption("--account <account>", "the custody account, by name or id")
    .requiredOption("--reference <reference>", "your own name for it")
    .option("--customer <id>", "customerId")
    .option("--amount <amount>", "what is expected, in plain digits")
    .option(
      "--currency <currency>",
      "of the amount (default: the account's); with a fiat currency the rate is fixed until --expires",
    )
    .option("--expires <instant>", "until when the rate is fixed: 2026-12-01T12:00:00Z")
    .option("--sync", "wait for the whole deposit (createDepositSynchronously)")
    .option("--route", BY_ROUTE)
    .addOption(byOption(BY))
    .action(runs(async () => (await import("./commands/deposits.ts")).createDepositCommand));
  deposits
    .command("void <idOrReference>")
    .description("cancel a deposit; the service does it only for accounts of one Bitcoin custody kind")
    .addOption(byOption(BY))
    .option("--yes", YES)
    .option("--route", BY_ROUTE)
    .action(runs(async () => (await import("./commands/deposits.ts")).voidDepositCommand));
  addExpected(deposits, runs);
}

function addExpected(deposits: Command, runs: Runs): void {
  deposits
    .command("expect [file]")
    .description(
      "take in a file of expected receipts (CSV or XLSX), whole or not at all; without one, do what the job " +
        "`expected` does",
    )
    .addOption(byOption("who sends it in"))
    .action(runs(async () => (await import("./commands/expected.ts")).expectCommand));
  deposits
    .command("expected")
    .description("list what is expected, with sums by customer, and what was received and is nobody's yet")
    .option("--customer <id>", "of this customer only")
    .option("--all", "also what was received or has ended")
    .action(runs(async () => (await import("./commands/expected.ts")).expectedCommand));
  deposits
    .command("approve <number>")
    .description("let a file of expected receipts count that waits for it")
    .addOption(byOption("who approves"))
    .action(runs(async () => (await import("./commands/expected.ts")).approveExpectedCommand));
  deposits
    .command("match <depositId> <reference...>")
    .description("say for what a receipt was meant: one expectation, or several of one customer")
    .option("--receipt <key>", "which one, if the deposit has several")
    .option("--reason <words>", "why, where neither amount nor customer says so", readWords)
    .addOption(byOption("who decides"))
    .action(runs(async () => (await import("./commands/expected.ts")).matchCommand));
  withReason(deposits.command("unmatch <depositId>"))
    .description("take back for what a receipt was meant")
    .option("--receipt <key>", "which one, if several of the deposit are matched")
    .action(runs(async () => (await import("./commands/expected.ts")).unmatchCommand));
  withReason(deposits.command("settle <reference>"))
    .description("accept what was received of an expectation, though it is less")
    .action(runs(async () => (await import("./commands/expected.ts")).settleCommand));
  withReason(deposits.command("withdraw <reference>"))
    .description("expect it no more, and have its deposit voided where the custody kind allows")
    .option("--keep-deposit", "do not void its deposit")
    .action(runs(async () => (await import("./commands/expected.ts")).withdrawCommand));
}

const PILOT_WAIT_SECONDS = 60;

function addPilot(program: Command, runs: Runs): void {
  withAcceptances(withPayoutColumns(program.command("pilot")), 1)
    .description("send one small approved payout end to end, and report how a new service behaves")
    .addOption(byOption(BY))
    .option("--approved-by <name...>", "who approves it", listOf(readName))
    .option("--yes", YES)
    .option("--no-nonce-trial", "do not create the deposits that show which nonces the service accepts")
    .option("--wait-seconds <seconds>", "how long to look for it", integerFrom(1, 86_400), PILOT_WAIT_SECONDS)
    .action(runs(async () => (await import("./commands/payouts.ts")).pilotCommand));
}
