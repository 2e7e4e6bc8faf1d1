/** What every operation works with: the tables, the policy and the seeded facts, put together once at the start. */
import { writeJson } from "../wire/index.ts";
import { payoutAnswer } from "./answers/payout-answer.ts";
import { type Directory, directoryOf } from "./directory.ts";
import { type Policy, policyOf, type SandboxOptions } from "./options.ts";
import { readSeed, type SandboxSeed } from "./seed.ts";
import { type Accounts, accountsIn } from "./state/accounts.ts";
import { type Agenda, agendaIn } from "./state/agenda.ts";
import type { SandboxDatabase } from "./state/database.ts";
import { type Deposits, depositsIn } from "./state/deposits.ts";
import { type Meta, metaIn } from "./state/meta.ts";
import { type Nonces, noncesIn, type UsedCodes, usedCodesIn } from "./state/nonces.ts";
import { type Payouts, payoutsIn } from "./state/payouts.ts";

export interface Service {
  readonly policy: Policy;
  readonly seed: SandboxSeed;
  readonly directory: Directory;
  readonly accounts: Accounts;
  readonly payouts: Payouts;
  readonly deposits: Deposits;
  readonly agenda: Agenda;
  readonly nonces: Nonces;
  readonly usedCodes: UsedCodes;
  readonly meta: Meta;
  /** The failed state that the seed has in store for payouts, or deposits, of this reference. */
  payoutOutcomeOf(reference: string): string | undefined;
  depositOutcomeOf(reference: string): string | undefined;
}

export function serviceIn(database: SandboxDatabase, options: SandboxOptions): Service {
  const policy = policyOf(options);
  const seed = readSeed(options.seed);
  const service: Service = {
    policy,
    seed,
    directory: directoryOf(seed),
    accounts: accountsIn(database),
    payouts: payoutsIn(database, (payout) => writeJson(payoutAnswer(service, payout))),
    deposits: depositsIn(database),
    agenda: agendaIn(database),
    nonces: noncesIn(database, policy.nonce),
    usedCodes: usedCodesIn(database),
    meta: metaIn(database),
    payoutOutcomeOf: outcomesOf(seed.payoutOutcomes),
    depositOutcomeOf: outcomesOf(seed.depositOutcomes),
  };
  return service;
}

function outcomesOf(rules: readonly { readonly reference: string; readonly state: string }[]) {
  const patterns = rules.map((rule) => ({
    state: rule.state,
    whole: new RegExp(`^(?:${rule.reference})$`, "u"),
  }));
  return (reference: string) => patterns.find((rule) => rule.whole.test(reference))?.state;
}
