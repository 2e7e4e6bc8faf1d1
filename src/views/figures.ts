/** Figures for monitoring, cheap enough to be polled: counts and ages, no amounts, names or references. */
import { DAY_MS, type Instant, mustNotLast, STANDINGS, type Standing, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { countFilesBack, type FilesBack } from "../store/batches.ts";
import { listOpenBreaks, type StoredBreak } from "../store/breaks.ts";
import { listOpenChanges } from "../store/changes.ts";
import { type Incomplete, readComparison } from "../store/comparison.ts";
import { countStuckEvents } from "../store/events.ts";
import { listFailedSinceComparison } from "../store/failed-payments.ts";
import { countRefused } from "../store/instructions.ts";
import { countGivenUp } from "../store/notices.ts";
import { type LastRun, listLastRuns } from "../store/runs.ts";
import type { Transaction } from "../store/sql.ts";
import { countByStanding, timesByStanding } from "../store/standing-counts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { countRunOut } from "./payment-status.ts";
import { whyNothingIsSent } from "./why-nothing-is-sent.ts";

export interface Figures {
  /** The number of payments per standing. */
  readonly payments: ReadonlyMap<Standing, number>;
  /** For each standing that must not last, the longest time that a payment has been in it; 0 if there is none. */
  readonly longestMs: ReadonlyMap<Standing, number>;
  /** When the newest payment that awaits approval was submitted. */
  readonly newestReceivedAt?: Instant;
  /** Approved payments that must be approved again. */
  readonly runOut: number;
  /** Without payments that are paid again. */
  readonly refused: number;
  /** Accepted payments whose payouts failed since the last comparison; the next one reports each as a break. */
  readonly failed: number;
  /** Deposits, voids and authorizations. */
  readonly changesInDoubt: number;
  /** Newest first. */
  readonly openBreaks: readonly Pick<StoredBreak, "kind" | "severity" | "payoutId" | "openedAt">[];
  /** The time since which no comparison has been complete, and the reason. */
  readonly incompleteComparison?: Incomplete;
  /** Files of the last 24 hours. */
  readonly filesBack: FilesBack;
  /**
   * Notices of the last 24 hours that could not be delivered, and events that the receiver has not accepted for 24
   * hours.
   */
  readonly noticesGivenUp: number;
  /** Which reasons stop all sending. */
  readonly sendingStopped: Readonly<Record<StopReason, boolean>>;
  /** The last run of each job, and the last one that ended. */
  readonly lastRuns: readonly LastRun[];
  readonly lastEndedRuns: readonly LastRun[];
}

/** Figures for every page of a face; cheap to read. */
export type Attention = Pick<Figures, "changesInDoubt" | "openBreaks" | "incompleteComparison"> & {
  /** In doubt or held. */
  readonly unsure: number;
};

export function attentionOf({ store }: Pick<Workplace, "store">): Promise<Attention> {
  return store.read(attention);
}

function* attention(): Transaction<Attention> {
  const counts = yield* countByStanding(["in doubt", "held"]);
  return {
    unsure: [...counts.values()].reduce((sum, count) => sum + count, 0),
    changesInDoubt: (yield* listOpenChanges()).length,
    openBreaks: yield* listOpenBreaks(),
    ...present({ incompleteComparison: (yield* readComparison()).incomplete }),
  };
}

/** The last run of each job, and the last one that ended. */
export function lastRunsOf({
  store,
}: Pick<Workplace, "store">): Promise<Pick<Figures, "lastRuns" | "lastEndedRuns">> {
  return store.read(lastRuns);
}

function* lastRuns(): Transaction<Pick<Figures, "lastRuns" | "lastEndedRuns">> {
  return { lastRuns: yield* listLastRuns(), lastEndedRuns: yield* listLastRuns({ isEnded: true }) };
}

export function* countUndelivered(now: Instant): Transaction<number> {
  const since = shifted(now, -DAY_MS);
  return (yield* countGivenUp(since)) + (yield* countStuckEvents(since));
}

export type StopReason = "stop order" | "database restored" | "configuration differs";

export async function figuresOf(workplace: Workplace): Promise<Figures> {
  const { store, context } = workplace;
  const obstacles = await whyNothingIsSent(workplace);
  const sendingStopped = {
    "stop order": obstacles.stopOrder !== undefined,
    "database restored": obstacles.restored !== undefined,
    "configuration differs": obstacles.machines.binding !== undefined,
  };
  const now = context.clock.now();
  const runOut = await countRunOut(workplace);
  return store.read(function* (): Transaction<Figures> {
    const times = yield* timesByStanding(PASSING);
    const ageMs = (standing: Standing) =>
      Date.parse(now) - Date.parse(times.get(standing)?.longestSince ?? now);
    return {
      ...(yield* attention()),
      payments: yield* countByStanding(STANDINGS),
      longestMs: new Map(PASSING.map((standing) => [standing, Math.max(0, ageMs(standing))])),
      ...present({ newestReceivedAt: times.get("received")?.newestAt }),
      runOut,
      refused: yield* countRefused(),
      failed: (yield* listFailedSinceComparison()).length,
      filesBack: yield* countFilesBack(shifted(now, -DAY_MS)),
      noticesGivenUp: yield* countUndelivered(now),
      sendingStopped,
      ...(yield* lastRuns()),
    };
  });
}

const PASSING = STANDINGS.filter(mustNotLast);
