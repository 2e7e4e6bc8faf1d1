/** The configured custody accounts: their ids, names and client keys. */
import type { Config } from "../../config/index.ts";
import { custodyAccountId } from "../../model/index.ts";

/** The custody accounts of the configuration, with branded ids. */
export function custodyAccountsOf({ custodyAccounts }: Config) {
  return custodyAccounts.map((custody) => ({ ...custody, id: custodyAccountId(custody.id) }));
}

/** The configured name of a custody account, or its id. */
export function custodyNames({ custodyAccounts }: Config): (custodyAccountId: string) => string {
  const names = new Map(custodyAccounts.map(({ id, name }) => [id, name]));
  return (custodyAccountId) => names.get(custodyAccountId) ?? custodyAccountId;
}

/** The names of the client keys that the custody accounts use, in order; undefined for the unnamed key. */
export function keyNames({ custodyAccounts }: Config): (string | undefined)[] {
  return [...new Set(custodyAccounts.map(({ key }) => key))];
}
