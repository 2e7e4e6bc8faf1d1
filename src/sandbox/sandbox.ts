/** A sandbox without HTTP: the core with fault scripts, and access for tests and simulations. */
import { openCore, type SandboxAnswer, type SandboxRequest } from "./core.ts";
import { misbehaving } from "./misbehaviour.ts";
import { operatorOf } from "./operator.ts";
import type { SandboxOptions } from "./options.ts";
import type { Balance, Movement } from "./state/accounts.ts";
import type { Creation } from "./state/payouts.ts";

export type Sandbox = ReturnType<typeof openSandbox>;

/** Opens a sandbox on its database. Throws USAGE for an unusable file and CONFIG_KEY_INVALID for a wrong seed. */
export function openSandbox(options: SandboxOptions = {}) {
  const core = openCore(options);
  const { plan, setFaults, arrivals } = misbehaving(core, options.faults ?? [], options.randomSeed);
  const { accounts, payouts } = core.service;
  const { commit, served, close } = core;
  return {
    /** Answers a request correctly, bypassing the fault scripts. */
    handle: (request: SandboxRequest): SandboxAnswer => {
      const answer = core.handle(request);
      commit();
      return answer;
    },
    /**
     * Plans a request under the fault scripts: when it is carried out, and how much of the answer is delivered. Its
     * changes are in the database after the next `commit`, which must precede the answer; everything else here
     * commits itself.
     */
    plan,
    commit,
    /** Performs everything that is due by the clock. */
    tick: (): void => {
      core.tick();
      commit();
    },
    /** The payouts that requests created, each with its nonce and body, oldest first. */
    creations: (): readonly Creation[] => payouts.creations(),
    arrivals,
    balanceOf: (accountId: string): Balance | undefined => accounts.find(accountId)?.balance,
    movements: (): readonly Movement[] => accounts.movements(),
    /** Replaces the fault scripts and counts requests from 1 again; the seed decides what a `chance` hits. */
    setFaults,
    operator: operatorOf(core),
    served,
    close,
  };
}
