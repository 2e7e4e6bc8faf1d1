/** Declares the commands of the register of breaks: reading it, and what controllers decide about it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BREAK_GROUPS, BREAK_KINDS } from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import type { BreakFilter } from "../nights/index.ts";
import { byOption, readDay, readName, readWords, withReason } from "./options.ts";
import type { Runs } from "./session.ts";

export function addBreaks(program: Command, runs: Runs): void {
  const breaks = program
    .command("breaks")
    .description("what the last comparison found and somebody has to look at");
  breaks
    .command("list", { isDefault: true })
    .description("list them with amount at stake, age and owner")
    .addOption(
      new Option("--kind <kind>", "only of this kind or subject").choices([...BREAK_GROUPS, ...BREAK_KINDS]),
    )
    .option("--account <name>", "only of this custody account")
    .option("--min <amount>", 'only with at least so much at stake: "0.01" or "0.01 BTC"', readMinimum)
    .option("--since <day>", "only opened on or after this day", readDay)
    .option("--owner <name>", "only those of this person, or of nobody", readName)
    .option("--as-of <day>", "what was open and settled at the end of this day", readDay)
    .option("--closed", "also those closed in the last 90 days")
    .action(runs(async () => (await import("./commands/breaks.ts")).listBreaksCommand));
  breaks
    .command("show <name>")
    .description(
      "show one break, named by number (BR-12), reference, payoutId, depositId or custody account (of a balance): " +
        "its values, evidence, notes and openings",
    )
    .action(runs(async () => (await import("./commands/breaks.ts")).showBreakCommand));
  breaks
    .command("assign <name...>")
    .description("give open breaks, named as for `show`, to a person")
    .requiredOption("--to <person>", "who looks after them", readName)
    .addOption(byOption("who decides"))
    .action(runs(async () => (await import("./commands/breaks.ts")).assignBreakCommand));
  breaks
    .command("note <name...>")
    .description("add a note to breaks, named as for `show`")
    .requiredOption("--text <words>", "the note; it is kept on record", readWords)
    .addOption(byOption("who notes it"))
    .action(runs(async () => (await import("./commands/breaks.ts")).noteBreakCommand));
  withReason(breaks.command("settle <name...>"))
    .description(
      "record that open breaks need no further action. " +
        "Above `reconciliation.settleAlone` a second person confirms with the same command",
    )
    .action(runs(async () => (await import("./commands/breaks.ts")).settleBreakCommand));
  withReason(breaks.command("reopen <name...>"))
    .description("open settled breaks again")
    .action(runs(async () => (await import("./commands/breaks.ts")).reopenBreakCommand));
}

function readMinimum(text: string): NonNullable<BreakFilter["min"]> {
  const [, digits = "", currency] = /^(\d+(?:\.\d+)?)(?: ?([A-Z0-9]{2,10}))?$/.exec(text.trim()) ?? [];
  const value = Decimal.parse(digits);
  if (value !== undefined) return { value, ...(currency !== undefined && { currency }) };
  throw new InvalidArgumentError('expected an amount, such as "0.01" or "0.01 BTC"');
}
