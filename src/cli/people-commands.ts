/** Declares the commands of the roster: people, their roles, and the keys with which they sign. */
import { type Command, Option } from "commander";
import { ROLES } from "../model/index.ts";
import { byOption, readName, withReason } from "./options.ts";
import type { Runs } from "./session.ts";

const BY = "the admin, who signs";

export function addPeopleCommands(program: Command, runs: Runs): void {
  const people = program.command("people").description("the roster: persons, roles and keys");
  people
    .command("list")
    .description("show people, roles, keys, open invitations, and the roster's root and head")
    .action(runs(async () => (await import("./commands/people.ts")).listPeopleCommand));
  people
    .command("add <name>")
    .description("add a person, or change their roles or keys; without --key, by a one-time code")
    .addOption(
      new Option("--role <role...>", "all their roles from now on").choices(ROLES).makeOptionMandatory(),
    )
    .option("--key <file>", "their public key, if you know that it is theirs")
    .option("--mail <address>", "their mail address")
    .addOption(byOption(BY))
    .action(runs(async () => (await import("./commands/people.ts")).addPersonCommand));
  people
    .command("mail <name> <address>")
    .description("set a person's mail address, or `none`")
    .addOption(byOption(BY))
    .action(runs(async () => (await import("./commands/people.ts")).mailCommand));
  people
    .command("enroll <name>")
    .description("enrol your own key by an admin's one-time code")
    .requiredOption("--key <file>", "your public key, such as ~/.ssh/id_ed25519.pub")
    .option("--code <code>", "the one-time code (default: asked for)")
    .action(runs(async () => (await import("./commands/people.ts")).enrollCommand));
  withReason(people.command("handover"), BY)
    .description("hand the database over to a new root; voids unsent approvals")
    .requiredOption("--root <fingerprint...>", "the new `people.root`: SHA256:...")
    .requiredOption("--installation <name>", "the new `people.installation`, or the present one")
    .action(runs(async () => (await import("./commands/people.ts")).handOverCommand));
  withReason(people.command("revoke <name>"), BY)
    .description("take a person, or one of their keys, off the roster; voids their unsent approvals")
    .option("--key <fingerprint>", "only this key: SHA256:...", readName)
    .action(runs(async () => (await import("./commands/people.ts")).revokeCommand));
}
