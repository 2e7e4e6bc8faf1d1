/** A sandbox without HTTP: the core with its fault scripts, and what a test or a simulation wants to know of it. */
import { openCore, type SandboxAnswer, type SandboxRequest } from "./core.ts";
import type { FaultScript } from "./fault-scripts.ts";
import { type Arrival, misbehaving, type PlannedDelivery } from "./misbehaviour.ts";
import type { ServedOperation } from "./operations/route-table.ts";
import { type Operator, operatorOf } from "./operator.ts";
import type { SandboxOptions } from "./options.ts";
import type { Balance, Movement } from "./state/accounts.ts";
import type { Creation } from "./state/payouts.ts";

export interface Sandbox {
  /** Answers a request honestly, past the fault scripts. */
  handle(request: SandboxRequest): SandboxAnswer;
  /**
   * Plans a request under the fault scripts: when it is carried out, and what of the answer gets through. What is carried out is in the
   * database after the next `commit`, which must come before the answer leaves; everything else here commits by itself.
   */
  plan(request: SandboxRequest): PlannedDelivery;
  /** Writes to the database what has changed, of all requests since the last time together. */
  commit(): void;
  /** Lets everything happen that is due by the clock. */
  tick(): void;
  /** The payouts that requests created, each with its nonce and body, oldest first. */
  creations(): readonly Creation[];
  arrivals(): readonly Arrival[];
  /** What the account holds; undefined for an unknown one. */
  balanceOf(accountId: string): Balance | undefined;
  /** Every movement of money so far, oldest first. */
  movements(): readonly Movement[];
  /** Replaces the fault scripts and counts requests from 1 again; the seed decides what a `chance` hits. */
  setFaults(scripts: readonly FaultScript[], randomSeed?: number): void;
  /** What only the service's operator can do. */
  readonly operator: Operator;
  /** The operations with their methods and paths. */
  readonly served: readonly ServedOperation[];
  close(): void;
}

/** Opens a sandbox on its database. Throws USAGE for a file it cannot use and CONFIG_KEY_INVALID for a wrong seed. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  const core = openCore(options);
  const { plan, setFaults, arrivals } = misbehaving(core, options.faults ?? [], options.randomSeed);
  const { accounts, payouts } = core.service;
  const { commit } = core;
  return {
    handle: (request) => {
      const answer = core.handle(request);
      commit();
      return answer;
    },
    plan,
    commit,
    tick: () => {
      core.tick();
      commit();
    },
    creations: () => payouts.creations(),
    arrivals,
    balanceOf: (accountId) => accounts.find(accountId)?.balance,
    movements: () => accounts.movements(),
    setFaults,
    operator: operatorOf(core),
    served: core.served,
    close: core.close,
  };
}
