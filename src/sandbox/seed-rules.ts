/** What the parts of a written seed must be to each other: of one name there is one, and an account that is named exists. */
import type { SandboxSeed } from "./seed.ts";

export interface BrokenSeedRule {
  /** From the seed's root: ["accounts", 1, "accountId"]. */
  readonly path: (string | number)[];
  readonly reason: string;
}

/** Everything that does not fit together, in the order of the seed. */
export function brokenSeedRules({
  clients,
  accounts,
  deposits,
  foreignPayouts,
}: SandboxSeed): BrokenSeedRule[] {
  const accountIds = accounts.map(({ accountId }) => accountId);
  return [
    ...repetitions(
      "clients",
      "key",
      clients.map(({ key }) => key),
    ),
    ...repetitions("accounts", "accountId", accountIds),
    ...repetitions(
      "deposits",
      "depositId",
      deposits.map(({ depositId }) => depositId),
    ),
    ...strangers("deposits", deposits, accountIds),
    ...strangers("foreignPayouts", foreignPayouts, accountIds),
  ];
}

function repetitions(list: string, key: string, names: readonly string[]): BrokenSeedRule[] {
  return names.flatMap((name, at) => {
    const first = names.indexOf(name);
    return first === at ? [] : [{ path: [list, at, key], reason: `${list}.${first} has it already` }];
  });
}

function strangers(
  list: string,
  members: readonly { readonly accountId: string }[],
  accountIds: readonly string[],
): BrokenSeedRule[] {
  return members.flatMap(({ accountId }, at) =>
    accountIds.includes(accountId)
      ? []
      : [{ path: [list, at, "accountId"], reason: `none of the accounts is ${accountId}` }],
  );
}
