/** The commands by which a person decides: doubts, re-opening, paying again, stopping, whose configuration is right, and the story behind a payment. */
import { type Command, InvalidArgumentError } from "commander";
import type { ChangeOptions, DecisionOptions, ResolveOptions } from "./commands/doubt.ts";
import type { ExitCode } from "./exit-code.ts";
import { integerFrom } from "./search-options.ts";
import type { Session } from "./session.ts";

/** `pay` is the command of that name: paying again belongs below it. */
export function addDecisionCommands(
  program: Command,
  pay: Command,
  session: () => Session,
  done: (code: ExitCode) => void,
): void {
  const doubt = program
    .command("doubt")
    .description("what nobody knows yet: the evidence, and what may be decided")
    .action(async () => done(await (await import("./commands/doubt.ts")).doubtCommand(session())));
  withReason(doubt.command("resolve <reference>"))
    .description(
      "decide about a payment that is in doubt or held, whose payout showed after it was over, or that was given another one's",
    )
    .option("--accept <payoutId>", "this payout of the service is the payment", readId)
    .option("--resend", "send the same request once more")
    .option("--abandon", "give it up; reconciliation keeps watching for it")
    .option("--despite-incomplete-look", "with --abandon: also where the look right before was incomplete")
    .option("--yes", "do it without asking")
    .action(async (reference: string, options: ResolveOptions) =>
      done(await (await import("./commands/doubt.ts")).resolveCommand(session(), reference, options)),
    );
  withReason(doubt.command("resolve-change <number>"))
    .description("decide about a deposit, a void or an authorization that is in doubt")
    .option("--accept <id>", "it was done: the created deposit, or what was voided or authorized", readId)
    .option("--abandon", "give it up")
    .action(async (number: string, options: ChangeOptions) =>
      done(
        await (await import("./commands/doubt.ts")).resolveChangeCommand(
          session(),
          integerFrom(1, 2 ** 31)(number),
          options,
        ),
      ),
    );
  withReason(pay.command("again <reference>"))
    .description("pay once more what was refused or failed: a payment of its own, approved afresh")
    .option("--as <reference>", "its own reference (default: REFERENCE-AGAIN)")
    .action(async (reference: string, options: DecisionOptions & { as?: string }) =>
      done(await (await import("./commands/doubt.ts")).payAgainCommand(session(), reference, options)),
    );
  withReason(program.command("reopen <batchOrReference>"))
    .description("send a refused payment, or all of a batch, anew, once what the service named was put right")
    .action(async (reference: string, options: DecisionOptions) =>
      done(await (await import("./commands/doubt.ts")).reopenCommand(session(), reference, options)),
    );
  withReason(program.command("recall <batch-or-reference>"))
    .description("take back an approved payment, or what of a batch has not left; for good")
    .action(async (name: string, options: DecisionOptions) =>
      done(await (await import("./commands/doubt.ts")).recallCommand(session(), name, options)),
    );
  withReason(program.command("stop"))
    .description("send nothing any more, also in runs that are under way, until `go`")
    .action(async (options: DecisionOptions) =>
      done(await (await import("./commands/doubt.ts")).stopCommand(session(), options)),
    );
  withReason(program.command("go"))
    .description("end a `stop`")
    .action(async (options: DecisionOptions) =>
      done(await (await import("./commands/doubt.ts")).goCommand(session(), options)),
    );
  const configuration = program
    .command("configuration")
    .description("what the machines that share a database must have alike");
  withReason(configuration.command("accept"))
    .description("this machine's is the right one; the others send nothing until theirs is the same")
    .action(async (options: DecisionOptions) =>
      done(
        await (await import("./commands/configuration.ts")).acceptConfigurationCommand(session(), options),
      ),
    );
  program
    .command("explain <reference>")
    .description("the story of one payment: who did what, what left, what came back, what is booked")
    .action(async (reference: string) =>
      done(await (await import("./commands/explain.ts")).explainCommand(session(), reference)),
    );
  program
    .command("audit")
    .description("the record of who did what to money")
    .command("verify")
    .description("prove that the record was not changed")
    .action(async () => done(await (await import("./commands/explain.ts")).auditVerifyCommand(session())));
}

function withReason(command: Command): Command {
  return command
    .requiredOption("--reason <words>", "why; it is kept on record", readWords)
    .option("--by <name>", "who decides (default: the user of the operating system)", readWords);
}

/** The record must say something. */
function readWords(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("expected words");
}

function readId(text: string): string {
  const id = text.trim().toLowerCase();
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new InvalidArgumentError("expected the UUID that the service gave it");
}
