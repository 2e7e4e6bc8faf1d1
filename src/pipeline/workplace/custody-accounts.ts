/** The custody accounts of a configuration: their ids and names, and the client keys that they are paid under. */
import type { Config } from "../../config/index.ts";
import { custodyAccountId } from "../../model/index.ts";

/** The custody accounts of the configuration, with branded ids. */
export function custodyAccountsOf({ custodyAccounts }: Config) {
  return custodyAccounts.map((custody) => ({ ...custody, id: custodyAccountId(custody.id) }));
}

/** A custody account's configured name; its id where it has none. */
export function custodyNames({ custodyAccounts }: Config): (custodyAccountId: string) => string {
  const names = new Map(custodyAccounts.map(({ id, name }) => [id, name]));
  return (custodyAccountId) => names.get(custodyAccountId) ?? custodyAccountId;
}

/** The keys of the custody accounts, in their order; undefined for the one without a name. */
export function keyNames({ custodyAccounts }: Config): (string | undefined)[] {
  return [...new Set(custodyAccounts.map(({ key }) => key))];
}
