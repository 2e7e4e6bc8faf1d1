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
  addPayouts(program.command("payouts").description("the service's payouts"), runs);
  addDeposits(program.command("deposits").description("the service's deposits"), runs);
  program
    .command("balances [account...]")
    .description("show balances of these custody accounts, by default of all configured")
    .option("--route", BY_ROUTE)
    .action(runs(async () => (await import("./commands/balances.ts")).balancesCommand));
  program
    .command("doctor")
    .description("check everything that must be right before money moves; changes nothing")
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
    .description("create one payout, like a file of one row")
    .addOption(byOption(BY))
    .option(
      "--approved-by <name...>",
      "who approves it; with as many as the rules require it is sent at once",
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
    .description("cancel a payout; only in accounts of one Bitcoin custody kind")
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
      "of the amount (default: the account's); a fiat amount's rate is fixed until --expires",
    )
    .option("--expires <instant>", "until when the rate is fixed: 2026-12-01T12:00:00Z")
    .option("--sync", "wait for the whole deposit (createDepositSynchronously)")
    .option("--route", BY_ROUTE)
    .addOption(byOption(BY))
    .action(runs(async () => (await import("./commands/deposits.ts")).createDepositCommand));
  deposits
    .command("void <idOrReference>")
    .description("cancel a deposit; only in accounts of one Bitcoin custody kind")
    .addOption(byOption(BY))
    .option("--yes", YES)
    .option("--route", BY_ROUTE)
    .action(runs(async () => (await import("./commands/deposits.ts")).voidDepositCommand));
  addExpected(deposits, runs);
}

function addExpected(deposits: Command, runs: Runs): void {
  deposits
    .command("expect [file]")
    .description("take in a file of expected receipts; without one, do what the job `expected` does")
    .addOption(byOption("who sends it in"))
    .action(runs(async () => (await import("./commands/expected.ts")).expectCommand));
  deposits
    .command("expected")
    .description("list what is expected, and what was received and is nobody's yet")
    .option("--customer <id>", "of this customer only")
    .option("--all", "also what was received or has ended")
    .action(runs(async () => (await import("./commands/expected.ts")).expectedCommand));
  deposits
    .command("approve")
    .argument("<number>", "", integerFrom(1, 2 ** 31))
    .description("let a waiting file of expected receipts count")
    .addOption(byOption("who approves"))
    .action(runs(async () => (await import("./commands/expected.ts")).approveExpectedCommand));
  deposits
    .command("match <depositId> <reference...>")
    .description("match a receipt to one expectation, or several of one customer")
    .option("--receipt <key>", "which one, if the deposit has several")
    .option("--reason <words>", "why, where neither amount nor customer says so", readWords)
    .addOption(byOption("who decides"))
    .action(runs(async () => (await import("./commands/expected.ts")).matchCommand));
  withReason(deposits.command("unmatch <depositId>"))
    .description("take back a match")
    .option("--receipt <key>", "which one, if several of the deposit are matched")
    .action(runs(async () => (await import("./commands/expected.ts")).unmatchCommand));
  withReason(deposits.command("settle <reference>"))
    .description("accept what was received, though it is less")
    .action(runs(async () => (await import("./commands/expected.ts")).settleCommand));
  withReason(deposits.command("withdraw <reference>"))
    .description("expect it no more, and void its deposit where the custody kind allows")
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
    .option("--no-nonce-trial", "do not find out, by deposits, which nonces the service accepts")
    .option("--wait-seconds <seconds>", "how long to look for it", integerFrom(1, 86_400), PILOT_WAIT_SECONDS)
    .action(runs(async () => (await import("./commands/payouts.ts")).pilotCommand));
}
