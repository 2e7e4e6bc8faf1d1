/**
 * Clients with their users, and exchange rates: read from the seed at every start and held in memory, so that what the operator
 * adds lasts until the sandbox closes.
 */
import { exchangeRates, type Rates } from "./rules/exchange-rates.ts";
import type { SandboxSeed, SeededClient, SeededRate, SeededUser } from "./seed.ts";

export interface Directory {
  clientOf(key: string): SeededClient | undefined;
  readonly clients: readonly SeededClient[];
  readonly rates: Rates;
  /** Adds a user to a client, or gives the user another secret; false for an unknown key. */
  putUser(key: string, user: SeededUser): boolean;
  setRates(rates: readonly SeededRate[]): void;
}

export function directoryOf(seed: SandboxSeed): Directory {
  const clients = new Map(seed.clients.map((client) => [client.key, client]));
  let rates = exchangeRates(seed.rates);
  return {
    clientOf: (key) => clients.get(key),
    get clients() {
      return [...clients.values()];
    },
    get rates() {
      return rates;
    },
    putUser: (key, user) => {
      const client = clients.get(key);
      if (client === undefined) return false;
      const others = client.users.filter((one) => one.username !== user.username);
      clients.set(key, { ...client, users: [...others, user] });
      return true;
    },
    setRates: (next) => {
      rates = exchangeRates(next);
    },
  };
}
