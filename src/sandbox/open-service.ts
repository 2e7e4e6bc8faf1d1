/** Puts the service together once at the start: its tables on a database, its policy and its seed. */
import { writeJson } from "../wire/index.ts";
import { payoutAnswer } from "./answers/payout-answer.ts";
import { directoryOf } from "./directory.ts";
import { policyOf, type SandboxOptions } from "./options.ts";
import { readSeed } from "./seed.ts";
import type { Service } from "./service.ts";
import { accountsIn } from "./state/accounts.ts";
import { agendaIn } from "./state/agenda.ts";
import type { SandboxDatabase } from "./state/database.ts";
import { depositsIn } from "./state/deposits.ts";
import { metaIn } from "./state/meta.ts";
import { noncesIn, usedCodesIn } from "./state/nonces.ts";
import { payoutsIn } from "./state/payouts.ts";

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
