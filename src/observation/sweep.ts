/** Full sweeps: every payout and deposit the service shows, whoever made it, and the balances. */

import { type Problem, problem } from "../faults/index.ts";
import { findDeposits, findPayouts, lookUp, type Reading } from "../gateway/index.ts";
import type { CustodyAccountId, Instant, ObservedBalance } from "../model/index.ts";
import { balanceFromWire } from "./from-wire.ts";
import { keepDeposits, keepPayouts, type StateChange } from "./keep.ts";
import type { ObservationTools } from "./tools.ts";

/** Sweeps are repeated while pages move under the reader, so often at most. */
const SWEEPS_MAX = 5;

export interface Sweep {
  readonly elementsSeen: number;
  readonly pagesRead: number;
  readonly changes: readonly StateChange[];
  /** Elements that could not be read, and whether the pages never came to rest. */
  readonly problems: readonly Problem[];
}

export function sweepPayouts(tools: ObservationTools): Promise<Sweep> {
  const { gateway, context, paging } = tools;
  return sweep(
    tools,
    "findPayoutFilteredV2",
    () => findPayouts(gateway, context.clock, {}, paging),
    (reading, at) => keepPayouts(tools.store, reading, at),
  );
}

export function sweepDeposits(tools: ObservationTools): Promise<Sweep> {
  const { gateway, context, paging } = tools;
  return sweep(
    tools,
    "findDepositFilteredV2",
    () => findDeposits(gateway, context.clock, {}, paging),
    (reading, at) => keepDeposits(tools.store, reading, at),
  );
}

/** The balances of custody accounts, as they are now. */
export async function observeBalances(
  tools: ObservationTools,
  custodyAccountIds: readonly CustodyAccountId[],
): Promise<ObservedBalance[]> {
  const at = tools.context.clock.now();
  const answer = await lookUp(tools.gateway, tools.context.clock, "getAccountsBalance", {
    accountIds: [...custodyAccountIds],
  });
  return answer.balances.map((balance) => balanceFromWire(balance, at));
}

async function sweep<Element>(
  tools: ObservationTools,
  operation: string,
  read: () => Promise<Reading<Element>>,
  keep: (reading: Reading<Element>, at: Instant) => Promise<StateChange[]>,
): Promise<Sweep> {
  const changes: StateChange[] = [];
  for (let round = 1; ; round += 1) {
    const at = tools.context.clock.now();
    const reading = await tools.paging.askingForLess(read);
    changes.push(...(await keep(reading, at)));
    const pagesRested = reading.complete || reading.problems.length > 0;
    if (!pagesRested && round < SWEEPS_MAX) continue;
    const unstable = pagesRested
      ? []
      : [
          problem(
            "PAGING_UNSTABLE",
            { operation, reason: `${SWEEPS_MAX} readings disagreed` },
            { operation },
          ),
        ];
    return {
      elementsSeen: reading.found.length,
      pagesRead: reading.pagesRead,
      changes,
      problems: [...reading.problems, ...unstable],
    };
  }
}
