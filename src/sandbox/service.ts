/** The rows, the policy and the seeded facts that all operations use. Assembled once at the start. */
import { type Policy, policyOf, type SandboxOptions } from "./options.ts";
import type { SandboxSeed, SeededClient, SeededUser } from "./seed.ts";
import { openAgenda } from "./state/agenda.ts";
import { noncesIn } from "./state/nonces.ts";
import { exchangeRates } from "./state/rates.ts";
import type { Store } from "./state/rows.ts";
import { DEPOSIT_SEARCH, PAYOUT_SEARCH, pagesOf } from "./state/search.ts";
import { type StoredPayout, stateIn } from "./state/state.ts";

export type Service = ReturnType<typeof serviceIn>;

export function serviceIn(store: Store, options: SandboxOptions) {
  const state = stateIn(store);
  const policy = policyOf(options, state.facts()?.starts);
  const { seed } = policy;
  return {
    ...state,
    policy,
    seed,
    clients: clientsOf(seed),
    rates: exchangeRates(seed.rates),
    agenda: openAgenda(),
    findPayouts: pagesOf({ rows: state.payouts, ...PAYOUT_SEARCH }),
    findDeposits: pagesOf({ rows: state.deposits, ...DEPOSIT_SEARCH }),
    nonces: noncesIn(state.usedNonces, policy.nonce),
    /** The seed's rules for payouts (or deposits) with this reference. */
    payoutOutcomeOf: ruleFor(seed.payoutOutcomes),
    depositOutcomeOf: ruleFor(seed.depositOutcomes),
    payoutListingOf: ruleFor(seed.payoutListings),
    payoutReturnOf: ruleFor(seed.payoutReturns),
    /** Payouts as answered: JSON text that is good until the payout or the rates change. */
    shown: { payouts: new WeakMap<StoredPayout, string>() },
  };
}

/** Clients with their users, by key. Read from the seed at every start; additions last until the sandbox closes. */
function clientsOf(seed: SandboxSeed) {
  const clients = new Map(seed.clients.map((client) => [client.key, client]));
  return {
    get: (key: string): SeededClient | undefined => clients.get(key),
    first: seed.clients[0],
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

/** The first rule that matches a whole reference. */
function ruleFor<Rule extends { readonly reference: string }>(rules: readonly Rule[]) {
  const patterns = rules.map((rule) => ({ rule, whole: new RegExp(`^(?:${rule.reference})$`, "u") }));
  return (reference: string) => patterns.find(({ whole }) => whole.test(reference))?.rule;
}

/** How a reference is stored: unchanged by default, although the interface does not promise it. */
export function keptReference(
  reference: string,
  { trimmed, lowerCased, lengthMax }: Policy["reference"],
): string {
  const bare = trimmed ? reference.trim() : reference;
  const cased = lowerCased ? bare.toLowerCase() : bare;
  return cased.slice(0, lengthMax);
}
