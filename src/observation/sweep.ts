/** Full sweeps: every payout and deposit the service shows, whoever made it, and the balances. */
import { type Problem, problem } from "../faults/index.ts";
import { findDeposits, findPayouts, lookUp } from "../gateway/index.ts";
import type { CustodyAccountId, ObservedBalance } from "../model/index.ts";
import { balanceFromWire } from "./from-wire.ts";
import { type Keep, keepDeposits, keepPayouts, type StateChange } from "./keep.ts";
import type { Find, ObservationTools } from "./tools.ts";

/** Sweeps are repeated while pages move under the reader, so often at most. */
const SWEEPS_MAX = 5;

export interface Sweep {
  readonly elementsSeen: number;
  readonly pagesRead: number;
  /** Whether the pages tied: what they do not show is not there. */
  readonly complete: boolean;
  readonly changes: readonly StateChange[];
  /** Elements that could not be read, and whether the pages never came to rest. */
  readonly problems: readonly Problem[];
}

export function sweepPayouts(tools: ObservationTools): Promise<Sweep> {
  return sweep(tools, "findPayoutFilteredV2", findPayouts, keepPayouts);
}

export function sweepDeposits(tools: ObservationTools): Promise<Sweep> {
  return sweep(tools, "findDepositFilteredV2", findDeposits, keepDeposits);
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
  { gateway, context, store, paging }: ObservationTools,
  operation: string,
  find: Find<Element>,
  keep: Keep<Element>,
): Promise<Sweep> {
  const changes: StateChange[] = [];
  for (let round = 1; ; round += 1) {
    const at = context.clock.now();
    const reading = await paging.askingForLess(() => find(gateway, context.clock, {}, paging));
    changes.push(...(await keep(store, reading, at)));
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
      complete: reading.complete,
      changes,
      problems: [...reading.problems, ...unstable],
    };
  }
}
