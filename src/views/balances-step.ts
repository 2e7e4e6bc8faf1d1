/** Balances and accounts as the service shows them, for a person. Nothing is stored or concluded. */
import { type Fault, fault } from "../faults/index.ts";
import { lookUp, type SearchOperation } from "../gateway/index.ts";
import { findCustodyAccount, isUuid } from "../model/index.ts";
import type { AccountBalance } from "../wire/index.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";

export interface NamedBalance extends AccountBalance {
  /** The configured name; absent for an account that is not configured. */
  readonly name?: string;
}

/** The present balances of the given accounts (names or ids), or of all configured ones. */
export async function showBalances(
  workplace: Workplace,
  namesOrIds: readonly string[],
  by: SearchOperation,
): Promise<NamedBalance[]> {
  const { custodyAccounts } = workplace.config;
  const ids = namesOrIds.map((text) => findCustodyAccount(text, custodyAccounts)?.id ?? idIn(text));
  const accountIds = namesOrIds.length === 0 ? custodyAccounts.map(({ id }) => id) : [...new Set(ids)];
  const balances: AccountBalance[] = [];
  for (const view of workplace.underKeys) {
    const elsewhere = new Set<string>(custodyAccountsElsewhere(workplace, view));
    const own = accountIds.filter((id) => !elsewhere.has(id));
    if (own.length > 0) balances.push(...(await balancesUnder(view, own, by)));
  }
  return balances.map((balance) => {
    const name = custodyAccounts.find(({ id }) => id === balance.accountId)?.name;
    return name === undefined ? balance : { ...balance, name };
  });
}

async function balancesUnder(
  view: Workplace,
  accountIds: string[],
  by: SearchOperation,
): Promise<readonly AccountBalance[]> {
  const { gateway, context } = view.service().tools;
  const { balances } =
    by === "path"
      ? await lookUp(gateway, context.clock, "getAccountsBalance", { accountIds })
      : await lookUp(gateway, context.clock, "accountBalances", { accountIds: accountIds.join(",") });
  return balances;
}

/** The accounts in which a user may approve, as returned: the interface does not define the answer's form. */
export function showAccountsOfUser(workplace: Workplace, username: string): Promise<unknown> {
  const { gateway, context } = workplace.service().tools;
  return lookUp(gateway, context.clock, "accountsOfUser", { username });
}

function idIn(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw accountUnknown(text);
}

/** The fault for a name that is neither a custody account of the configuration nor a UUID. */
export function accountUnknown(text: string): Fault {
  const what = `custody account ${text} in the configuration, nor is that a UUID`;
  return fault("NAME_UNKNOWN", { what, how: "Name one of `custodyAccounts`, or an accountId." });
}
