/** Sweeps: reads every payout and deposit that the service shows, also those of others, and the balances. */
import { unlessStopped } from "../context/context.ts";
import { type Problem, problem } from "../faults/index.ts";
import {
  type FindFilter,
  type FindPaging,
  type Found,
  lookUp,
  type Pages,
  type Recognise,
  type ServiceFault,
  type SortCriterion,
  unlessServiceFails,
} from "../gateway/index.ts";
import type { IdSet } from "../model/id-set.ts";
import type { CustodyAccountId, Instant, ObservedBalance } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Sighting } from "../store/observed.ts";
import { balanceFromWire } from "./from-wire.ts";
import {
  endRecording,
  type Observed,
  recogniseAt,
  recordSightingsAt,
  type StateChange,
  sightingIn,
} from "./record.ts";
import type { ObservationTools } from "./tools.ts";

/** Upper bound on repeating a sweep whose pages shifted while they were read. */
const ROUNDS_MAX = 5;

export interface Sweep {
  /** When each reading began: elements that it showed first have this as their first sighting. */
  readonly begunAt: readonly Instant[];
  readonly elementsSeen: number;
  readonly pagesRead: number;
  /** Whether the pages were consistent. If so, an element that they do not show does not exist. */
  readonly complete: boolean;
  /** An element that was shown, for comparing how the service counts. */
  readonly shownId?: string;
  /** The number of elements, according to the service. */
  readonly total?: number;
  readonly changesCount: number;
  /** The first changes only: there may be as many as elements. */
  readonly changes: readonly StateChange[];
  /** Unreadable elements, and whether the pages stayed inconsistent. */
  readonly problems: readonly Problem[];
}

const CHANGES_MAX = 1_000;

/**
 * Reads and stores all payouts or deposits, or those in the states of `filter`. An element recognised by its text
 * is neither parsed nor stored again. `seen`: gets the ids of all that are shown. Throws a SERVICE_ fault.
 */
export async function sweep<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  filter: Pick<FindFilter, "states"> = {},
  seen?: IdSet,
): Promise<Sweep> {
  const changes = new Changes();
  const { begunAt, reading } = await readUntilAtRest(tools, observed, { filter, seen, changes });
  const { operation } = observed;
  const reason = `${ROUNDS_MAX} readings disagreed`;
  const unstable = isAtRest(reading)
    ? []
    : [problem("PAGING_UNSTABLE", { operation, reason }, { operation })];
  const problems = [...reading.problems, ...unstable];
  return { ...reading, begunAt, ...changes.counted(), problems };
}

export interface LookForNew extends Sweep {
  /** Why it may have missed new elements; empty if it provably missed none. */
  readonly doubts: readonly string[];
  /** Whether all elements came in the order of their creation. If they did not, new ones may be anywhere. */
  readonly sortHeld: boolean;
  /** The latest creation that was shown. */
  readonly newest?: Instant;
}

/**
 * As `sweep`, but newest first, and only back to a whole page of elements created before `createdSince`. Ignores
 * the content of later pages.
 */
export async function lookForNew<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  createdSince: Instant,
  seen: IdSet,
): Promise<LookForNew> {
  const changes = new Changes();
  const newestFirst = { sort: NEWEST_FIRST, createdSince };
  const { begunAt, reading } = await readUntilAtRest(tools, observed, { seen, changes, newestFirst });
  return { ...reading, begunAt, ...changes.counted() };
}

const NEWEST_FIRST: readonly SortCriterion[] = [{ property: "createdDate", direction: "DESC" }];

/** The changes in all readings of a sweep. */
class Changes {
  private count = 0;
  private readonly first: StateChange[] = [];

  add(some: readonly StateChange[]): void {
    this.count += some.length;
    this.first.push(...some.slice(0, CHANGES_MAX - this.first.length));
  }

  counted(): Pick<Sweep, "changesCount" | "changes"> {
    return { changesCount: this.count, changes: this.first };
  }
}

interface Read {
  readonly filter?: Pick<FindFilter, "states">;
  readonly seen?: IdSet | undefined;
  readonly changes: Changes;
  readonly newestFirst?: Pick<FindPaging, "sort" | "createdSince">;
}

/** Reads the pages again while they disagree; returns the last reading. */
async function readUntilAtRest<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  { filter = {}, seen, changes, newestFirst }: Read,
) {
  const { gateway, context, paging } = tools;
  const begunAt: Instant[] = [];
  for (let round = 1; ; round += 1) {
    const at = context.clock.now();
    begunAt.push(at);
    const known = recogniseAt(tools, observed.kind, at);
    const recognise: Recognise = (texts) => {
      unlessStopped(context);
      return known(texts);
    };
    const recordPages = async () => {
      const { pageSize, firstPage, sort, concurrency } = paging;
      const asked = { ...present({ sort, concurrency }), pageSize, firstPage, ...newestFirst };
      const pages = observed.pages(gateway, context.clock, filter, asked, "path", recognise);
      for await (const sightings of windowsOf(pages, (found) => sightingIn(tools, observed, found))) {
        unlessStopped(context);
        changes.add(await recordSightingsAt(tools, observed.kind, sightings, at));
      }
      await endRecording(tools, observed.kind);
      const { ids, lastId } = pages.shown();
      const report = { ...pages.report(), elementsSeen: ids.size, ...present({ shownId: lastId }) };
      seen?.takeAll(ids);
      return report;
    };
    const reading = await paging.askingForLess(recordPages);
    if (isAtRest(reading) || round === ROUNDS_MAX) return { begunAt, reading };
  }
}

/** Whether reading again is of no use: the pages agreed, or show elements that cannot be read. */
function isAtRest({ complete, problems }: Pick<Sweep, "complete" | "problems">): boolean {
  return complete || problems.length > 0;
}

/**
 * The present balances of custody accounts. If the answer cannot be read, asks for each account alone and leaves out
 * those whose answer cannot be read either, so that one account does not keep the night from being compared. Throws
 * a SERVICE_ fault, also if no balance can be read.
 */
export function observeBalances(
  tools: ObservationTools,
  custodyAccountIds: readonly CustodyAccountId[],
): Promise<ObservedBalance[]> {
  const askApart = async (failed: ServiceFault) => {
    const balances: ObservedBalance[] = [];
    if (isUnreadable(failed) && custodyAccountIds.length > 1)
      for (const id of custodyAccountIds)
        balances.push(...(await unlessServiceFails(() => balancesOf(tools, [id]), leftOutIfUnreadable)));
    if (balances.length === 0) throw failed;
    return balances;
  };
  return unlessServiceFails(() => balancesOf(tools, custodyAccountIds), askApart);
}

async function balancesOf({ gateway, context }: ObservationTools, accountIds: readonly CustodyAccountId[]) {
  const at = context.clock.now();
  const answer = await lookUp(gateway, context.clock, "getAccountsBalance", { accountIds: [...accountIds] });
  return answer.balances.map((balance) => balanceFromWire(balance, at));
}

function isUnreadable({ problem: { code } }: ServiceFault): boolean {
  return code === "SERVICE_ANSWER_UNREADABLE";
}

function leftOutIfUnreadable(failed: ServiceFault): ObservedBalance[] {
  if (!isUnreadable(failed)) throw failed;
  return [];
}

/** The more are stored together, the fewer database pages are written repeatedly. */
const ELEMENTS_TOGETHER = 1_000;

/**
 * Groups the sightings into windows, because a service may show more than fits into memory. Only sightings wait: a
 * window of parsed elements would outlive many collections of garbage, each of which copies it.
 */
async function* windowsOf<Element>(
  pages: Pages<Element>,
  sightingOf: (found: Found<Element>) => Sighting,
): AsyncGenerator<readonly Sighting[]> {
  let waiting: Sighting[] = [];
  for await (const found of pages) {
    waiting.push(sightingOf(found));
    if (waiting.length < ELEMENTS_TOGETHER) continue;
    yield waiting;
    waiting = [];
  }
  yield waiting;
}
