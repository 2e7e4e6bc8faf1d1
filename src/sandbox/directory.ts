/**
 * Clients with their users, and exchange rates. Read from the seed at every start and held in memory, so that the
 * operator's additions last until the sandbox closes.
 */
import { exchangeRates } from "./rules/exchange-rates.ts";
import type { SandboxSeed, SeededClient, SeededUser } from "./seed.ts";

export type Directory = ReturnType<typeof directoryOf>;

export function directoryOf(seed: SandboxSeed) {
  const clients = new Map(seed.clients.map((client) => [client.key, client]));
  return {
    clientOf: (key: string) => clients.get(key),
    get clients(): readonly SeededClient[] {
      return [...clients.values()];
    },
    rates: exchangeRates(seed.rates),
    /** Adds a user to a client, or replaces the user's secret; false for an unknown key. */
    putUser: (key: string, user: SeededUser): boolean => {
      const client = clients.get(key);
      if (client === undefined) return false;
      const others = client.users.filter((known) => known.username !== user.username);
      clients.set(key, { ...client, users: [...others, user] });
      return true;
    },
  };
}
