/** The configured custody accounts: their ids, names and client keys. */
import type { Config } from "../config/index.ts";
import { fault, type Problem, problem } from "../faults/index.ts";
import { custodyAccountId, findCustodyAccount } from "../model/index.ts";

/** The custody accounts of the configuration, with branded ids. */
export function custodyAccountsOf({ custodyAccounts }: Config) {
  return custodyAccounts.map((custody) => ({ ...custody, id: custodyAccountId(custody.id) }));
}

/** The custody account with this name or id. Throws NAME_UNKNOWN. */
export function custodyAccountNamed(config: Config, text: string) {
  const known = custodyAccountsOf(config);
  const found = findCustodyAccount(text, known);
  if (found !== undefined) return found;
  const names = known.map(({ name }) => name).join(", ");
  throw fault("NAME_UNKNOWN", { what: `custody account ${text}`, how: `The configuration has ${names}.` });
}

/** Our own custody accounts as destinations, in comparable form: the configuration keeps UUIDs in lower case. */
export function ownDestinationsOf({ custodyAccounts }: Config): ReadonlySet<string> {
  return new Set(custodyAccounts.map(({ id }) => id));
}

/** The configured name of a custody account, or its id. */
export function custodyNames({ custodyAccounts }: Config): (custodyAccountId: string) => string {
  const names = new Map(custodyAccounts.map(({ id, name }) => [id, name]));
  return (custodyAccountId) => names.get(custodyAccountId) ?? custodyAccountId;
}

/**
 * A problem for each custody account whose balance the service does not show, or shows in another currency.
 * `shown`: currencies by custody account.
 */
export function notShownAsConfigured(
  { custodyAccounts }: Pick<Config, "custodyAccounts">,
  shown: ReadonlyMap<string, string>,
): Problem[] {
  return custodyAccounts.flatMap(({ id, name, currency }, index): Problem[] => {
    const found = shown.get(id);
    if (found === currency) return [];
    const where = { key: `custodyAccounts.${index}` };
    return [
      found === undefined
        ? problem("CUSTODY_ACCOUNT_NOT_SHOWN", { name, id }, where)
        : problem("CUSTODY_ACCOUNT_DIFFERS", { name, found, currency }, where),
    ];
  });
}

/** The names of the client keys that the custody accounts use, in order; undefined for the unnamed key. */
export function keyNames({ custodyAccounts }: Config): (string | undefined)[] {
  return [...new Set(custodyAccounts.map(({ key }) => key))];
}
