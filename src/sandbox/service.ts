/** The rows, the policy and the seeded facts that all operations use. Assembled once at the start. */
import { writeJson } from "../wire/index.ts";
import { payoutAnswer } from "./answers/payout-answer.ts";
import { directoryOf } from "./directory.ts";
import { policyOf, type SandboxOptions } from "./options.ts";
import { accountsIn } from "./state/accounts.ts";
import { agendaIn } from "./state/agenda.ts";
import { depositsIn } from "./state/deposits.ts";
import { metaIn, startsBefore } from "./state/meta.ts";
import { noncesIn, usedCodesIn } from "./state/nonces.ts";
import { payoutsIn } from "./state/payouts.ts";
import type { Store } from "./state/store.ts";

export type Service = ReturnType<typeof serviceIn>;

export function serviceIn(store: Store, options: SandboxOptions) {
  const meta = metaIn(store);
  const policy = policyOf(options, startsBefore(meta));
  const { seed } = policy;
  const directory = directoryOf(seed);
  return {
    policy,
    seed,
    directory,
    accounts: accountsIn(store),
    payouts: payoutsIn(store, (payout) => writeJson(payoutAnswer({ policy, directory }, payout))),
    deposits: depositsIn(store),
    agenda: agendaIn(store),
    nonces: noncesIn(store, policy.nonce),
    usedCodes: usedCodesIn(store),
    meta,
    /** The failed state that the seed defines for payouts (or deposits) with this reference. */
    payoutOutcomeOf: outcomesOf(seed.payoutOutcomes),
    depositOutcomeOf: outcomesOf(seed.depositOutcomes),
  };
}

function outcomesOf(rules: readonly { readonly reference: string; readonly state: string }[]) {
  const patterns = rules.map((rule) => ({
    state: rule.state,
    whole: new RegExp(`^(?:${rule.reference})$`, "u"),
  }));
  return (reference: string) => patterns.find((rule) => rule.whole.test(reference))?.state;
}
