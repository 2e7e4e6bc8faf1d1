/** The schema of a sandbox's options in a file, including rules that involve several options. */
import { z } from "zod";
import { faultScript } from "./fault-scripts.ts";
import { operationNames, operationsAt } from "./operations/operations.ts";
import { brokenRoutes } from "./operations/route-rules.ts";
import { routesSchema } from "./operations/routes.ts";
import { switches } from "./options.ts";
import { type SandboxSeed, sandboxSeed } from "./seed.ts";

const routes = routesSchema.superRefine((routes, context) => {
  for (const { name, reason } of brokenRoutes(operationsAt(routes))) {
    context.addIssue({ code: "custom", path: [name], message: reason });
  }
});

/** Fault scripts must name existing operations: a misspelt name would silently never match. */
export const faultScripts = z.array(
  faultScript.refine(({ operation }) => operation === "*" || operationNames.includes(operation), {
    path: ["operation"],
    error: "expected * or an operation's name in the interface document, such as createPayoutV2",
  }),
);

const seed = sandboxSeed.superRefine(refuseUnfittingParts);

export const writtenOptions = z.strictObject({
  ...switches,
  seed: seed.prefault({}),
  routes: routes.prefault({}),
  faults: faultScripts.default([]),
});

/** Names must be unique, and accounts that are referred to must exist. */
function refuseUnfittingParts(seed: SandboxSeed, context: z.RefinementCtx): void {
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
