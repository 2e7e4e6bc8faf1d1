/** Full sweeps: every payout and deposit the service shows, whoever made it, and the balances. */
import { type Problem, problem } from "../faults/index.ts";
import { type FindFilter, type Found, lookUp, type Pages } from "../gateway/index.ts";
import type { CustodyAccountId, ObservedBalance } from "../model/index.ts";
import { balanceFromWire } from "./from-wire.ts";
import { keep, type Observed, type StateChange } from "./keep.ts";
import type { ObservationTools } from "./tools.ts";

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

/** All payouts, or all deposits; those in the states that `filter` names where it is given. */
export async function sweep<Element>(
  { gateway, context, store, paging }: ObservationTools,
  observed: Observed<Element>,
  filter: Pick<FindFilter, "states"> = {},
): Promise<Sweep> {
  const { operation } = observed;
  const changes: StateChange[] = [];
  for (let round = 1; ; round += 1) {
    const at = context.clock.now();
    const keepPages = async () => {
      const pages = observed.pages(gateway, context.clock, filter, paging);
      let elementsSeen = 0;
      for await (const found of together(pages)) {
        changes.push(...(await keep(store, observed, found, at)));
        elementsSeen += found.length;
      }
      return { ...pages.report(), elementsSeen };
    };
    const reading = await paging.askingForLess(keepPages);
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
      elementsSeen: reading.elementsSeen,
      pagesRead: reading.pagesRead,
      complete: reading.complete,
      changes,
      problems: [...reading.problems, ...unstable],
    };
  }
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

const ELEMENTS_TOGETHER = 500;

/** What the pages bring, some at a time: a service may show more than should lie in memory. */
async function* together<Element>(pages: Pages<Element>): AsyncGenerator<readonly Found<Element>[]> {
  let waiting: Found<Element>[] = [];
  for await (const one of pages) {
    waiting.push(one);
    if (waiting.length < ELEMENTS_TOGETHER) continue;
    yield waiting;
    waiting = [];
  }
  yield waiting;
}
