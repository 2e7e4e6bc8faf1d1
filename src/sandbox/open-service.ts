/** Puts the service together once at the start: its rows in a store, its policy and its seed. */
import { writeJson } from "../wire/index.ts";
import { payoutAnswer } from "./answers/payout-answer.ts";
import { directoryOf } from "./directory.ts";
import { policyOf, type SandboxOptions } from "./options.ts";
import { readSeed } from "./seed.ts";
import type { Service } from "./service.ts";
import { accountsIn } from "./state/accounts.ts";
import { agendaIn } from "./state/agenda.ts";
import { depositsIn } from "./state/deposits.ts";
import { metaIn, startsBefore } from "./state/meta.ts";
import { noncesIn, usedCodesIn } from "./state/nonces.ts";
import { payoutsIn } from "./state/payouts.ts";
import type { Store } from "./state/store.ts";

export function serviceIn(store: Store, options: SandboxOptions): Service {
  const meta = metaIn(store);
  const policy = policyOf(options, startsBefore(meta));
  const seed = readSeed(options.seed);
  const service: Service = {
    policy,
    seed,
    directory: directoryOf(seed),
    accounts: accountsIn(store),
    payouts: payoutsIn(store, (payout) => writeJson(payoutAnswer(service, payout))),
    deposits: depositsIn(store),
    agenda: agendaIn(store),
    nonces: noncesIn(store, policy.nonce),
    usedCodes: usedCodesIn(store),
    meta,
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
