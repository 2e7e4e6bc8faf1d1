/** What the parts of a written seed must be to each other: of one name there is one, and an account that is named exists. */
import type { z } from "zod";
import type { SandboxSeed } from "./seed.ts";

export function refuseUnfittingParts(seed: SandboxSeed, context: z.RefinementCtx): void {
  const { clients, accounts, deposits, foreignPayouts } = seed;
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  const refuseRepetitions = (list: string, key: string, names: readonly string[]) => {
    for (const [at, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first < at) refuse([list, at, key], `${list}.${first} has it already`);
    }
  };
  const accountIds = accounts.map(({ accountId }) => accountId);
  const refuseStrangers = (list: string, members: readonly { readonly accountId: string }[]) => {
    for (const [at, { accountId }] of members.entries()) {
      if (!accountIds.includes(accountId))
        refuse([list, at, "accountId"], `none of the accounts is ${accountId}`);
    }
  };
  refuseRepetitions(
    "clients",
    "key",
    clients.map(({ key }) => key),
  );
  refuseRepetitions("accounts", "accountId", accountIds);
  refuseRepetitions(
    "deposits",
    "depositId",
    deposits.map(({ depositId }) => depositId),
  );
  refuseStrangers("deposits", deposits);
  refuseStrangers("foreignPayouts", foreignPayouts);
}
