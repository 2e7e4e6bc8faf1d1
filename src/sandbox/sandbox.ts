/** A sandbox without HTTP: the core with its fault scripts, and what a test or a simulation wants to know of it. */
import { openCore, type SandboxAnswer, type SandboxRequest } from "./core.ts";
import { misbehaving } from "./misbehaviour.ts";
import { operatorOf } from "./operator.ts";
import type { SandboxOptions } from "./options.ts";
import type { Balance, Movement } from "./state/accounts.ts";
import type { Creation } from "./state/payouts.ts";

export type Sandbox = ReturnType<typeof openSandbox>;

/** Opens a sandbox on its database. Throws USAGE for a file it cannot use and CONFIG_KEY_INVALID for a wrong seed. */
export function openSandbox(options: SandboxOptions = {}) {
  const core = openCore(options);
  const { plan, setFaults, arrivals } = misbehaving(core, options.faults ?? [], options.randomSeed);
  const { accounts, payouts } = core.service;
  const { commit, served, close } = core;
  return {
    /** Answers a request honestly, past the fault scripts. */
    handle: (request: SandboxRequest): SandboxAnswer => {
      const answer = core.handle(request);
      commit();
      return answer;
    },
    /**
     * Plans a request under the fault scripts: when it is carried out, and what of the answer gets through. What is carried out is in the
     * database after the next `commit`, which must come before the answer leaves; everything else here commits by itself.
     */
    plan,
    /** Writes to the database what has changed, of all requests since the last time together. */
    commit,
    /** Lets everything happen that is due by the clock. */
    tick: (): void => {
      core.tick();
      commit();
    },
    /** The payouts that requests created, each with its nonce and body, oldest first. */
    creations: (): readonly Creation[] => payouts.creations(),
    arrivals,
    /** What the account holds; undefined for an unknown one. */
    balanceOf: (accountId: string): Balance | undefined => accounts.find(accountId)?.balance,
    /** Every movement of money so far, oldest first. */
    movements: (): readonly Movement[] => accounts.movements(),
    /** Replaces the fault scripts and counts requests from 1 again; the seed decides what a `chance` hits. */
    setFaults,
    /** What only the service's operator can do. */
    operator: operatorOf(core),
    served,
    close,
  };
}
