/** What every operation works with: the tables, the policy and the seeded facts, put together once at the start. */
import { type Policy, policyOf, type SandboxOptions } from "./options.ts";
import { exchangeRates, type Rates } from "./rules/exchange-rates.ts";
import { readSeed, type SandboxSeed } from "./seed.ts";
import { type Accounts, accountsIn } from "./state/accounts.ts";
import { type Agenda, agendaIn } from "./state/agenda.ts";
import type { SandboxDatabase } from "./state/database.ts";
import { type Deposits, depositsIn } from "./state/deposits.ts";
import { type Nonces, noncesIn, type UsedCodes, usedCodesIn } from "./state/nonces.ts";
import { type Payouts, payoutsIn } from "./state/payouts.ts";

export interface Service {
  readonly policy: Policy;
  readonly seed: SandboxSeed;
  readonly rates: Rates;
  readonly accounts: Accounts;
  readonly payouts: Payouts;
  readonly deposits: Deposits;
  readonly agenda: Agenda;
  readonly nonces: Nonces;
  readonly usedCodes: UsedCodes;
  /** The failed state that the seed has in store for payouts of this reference. */
  outcomeOf(reference: string): string | undefined;
}

export function serviceIn(database: SandboxDatabase, options: SandboxOptions): Service {
  const policy = policyOf(options);
  const seed = readSeed(options.seed);
  return {
    policy,
    seed,
    rates: exchangeRates(seed.rates),
    accounts: accountsIn(database),
    payouts: payoutsIn(database),
    deposits: depositsIn(database),
    agenda: agendaIn(database),
    nonces: noncesIn(database, policy.nonce.rule),
    usedCodes: usedCodesIn(database),
    outcomeOf: outcomesOf(seed),
  };
}

function outcomesOf(seed: SandboxSeed): Service["outcomeOf"] {
  const rules = seed.payoutOutcomes.map((rule) => ({
    state: rule.state,
    whole: new RegExp(`^(?:${rule.reference})$`, "u"),
  }));
  return (reference) => rules.find((rule) => rule.whole.test(reference))?.state;
}
