/** Sweeps: reads every payout or deposit that the service shows, whoever created it, and the balances. */
import { unlessStopped } from "../context/context.ts";
import { type Problem, problem } from "../faults/index.ts";
import { type FindFilter, type Found, lookUp, type Pages, type Recognise } from "../gateway/index.ts";
import type { IdSet } from "../model/id-set.ts";
import type { CustodyAccountId, Instant, ObservedBalance } from "../model/index.ts";
import { present } from "../model/present.ts";
import { balanceFromWire } from "./from-wire.ts";
import { type Observed, recogniseAt, record, type StateChange } from "./record.ts";
import type { ObservationTools } from "./tools.ts";

/** Upper bound on repeating a sweep whose pages shifted while they were read. */
const SWEEPS_MAX = 5;

export interface Sweep {
  /** When each reading began: what they showed first was first seen then. */
  readonly begunAt: readonly Instant[];
  readonly elementsSeen: number;
  readonly pagesRead: number;
  /** Whether the pages were consistent: then what they do not show does not exist. */
  readonly complete: boolean;
  /** One of those shown, for comparing how the service counts. */
  readonly shownId?: string;
  readonly changesCount: number;
  /** The first of the changes: there may be as many as there are elements. */
  readonly changes: readonly StateChange[];
  /** Unreadable elements, and whether the pages stayed inconsistent. */
  readonly problems: readonly Problem[];
}

const CHANGES_MAX = 1_000;

/**
 * Reads and stores all payouts or deposits, or those in the states of `filter`. What is known by its text is neither parsed nor
 * stored again. `seen`: gets the ids of all that are shown. Throws a SERVICE_ fault.
 */
export async function sweep<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  filter: Pick<FindFilter, "states"> = {},
  seen?: IdSet,
): Promise<Sweep> {
  const { gateway, context, paging } = tools;
  const { operation, kind } = observed;
  let changesCount = 0;
  const changes: StateChange[] = [];
  const begunAt: Instant[] = [];
  for (let round = 1; ; round += 1) {
    const at = context.clock.now();
    begunAt.push(at);
    const known = recogniseAt(tools, kind, at);
    const recognise: Recognise = (texts) => {
      unlessStopped(context);
      return known(texts);
    };
    const recordPages = async () => {
      const pages = observed.pages(gateway, context.clock, filter, paging, "path", recognise);
      for await (const found of windowsOf(pages)) {
        unlessStopped(context);
        const some = await record(tools, observed, found, at);
        changesCount += some.length;
        changes.push(...some.slice(0, CHANGES_MAX - changes.length));
      }
      const { ids, lastId } = pages.shown();
      seen?.addAll(ids);
      return { ...pages.report(), elementsSeen: ids.size, shownId: lastId };
    };
    const reading = await paging.askingForLess(recordPages);
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
      begunAt,
      elementsSeen: reading.elementsSeen,
      pagesRead: reading.pagesRead,
      complete: reading.complete,
      ...present({ shownId: reading.shownId }),
      changesCount,
      changes,
      problems: [...reading.problems, ...unstable],
    };
  }
}

/** The present balances of custody accounts. Throws a SERVICE_ fault. */
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

/** The more are stored together, the fewer pages of the database are written several times. */
const ELEMENTS_TOGETHER = 2_000;

/** Groups the elements into windows, because a service may show more than fits into memory. */
async function* windowsOf<Element>(pages: Pages<Element>): AsyncGenerator<readonly Found<Element>[]> {
  let waiting: Found<Element>[] = [];
  for await (const element of pages) {
    waiting.push(element);
    if (waiting.length < ELEMENTS_TOGETHER) continue;
    yield waiting;
    waiting = [];
  }
  yield waiting;
}
