/** Figures for monitoring, cheap enough to be polled: counts and ages, no amounts, names or references. */
import { mustNotLast, STANDINGS, type Standing } from "../../model/index.ts";
import { type BreakCounts, countOpenBreaks } from "../../store/breaks.ts";
import { listOpenChanges } from "../../store/changes.ts";
import { type LastRun, listLastRuns } from "../../store/runs.ts";
import type { Transaction } from "../../store/sql.ts";
import { countByStanding, longestStandingSince } from "../../store/standing-counts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { whyNothingIsSent } from "./why-nothing-is-sent.ts";

export interface Figures {
  /** The number of payments per standing. */
  readonly payments: ReadonlyMap<Standing, number>;
  /** For each standing that must not last, the longest time that a payment has been in it; 0 if there is none. */
  readonly longestMs: ReadonlyMap<Standing, number>;
  /** Deposits, voids and authorizations. */
  readonly changesInDoubt: number;
  readonly openBreaks: BreakCounts;
  /** Which reasons stop all sending. */
  readonly sendingStopped: Readonly<Record<StopReason, boolean>>;
  /** The last run of each job, and the last one that ended. */
  readonly lastRuns: readonly LastRun[];
  readonly lastEndedRuns: readonly LastRun[];
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
  const nowMs = Date.parse(context.clock.now());
  return store.read(function* (): Transaction<Figures> {
    const counts = yield* countByStanding();
    const since = yield* longestStandingSince(PASSING);
    const ageMs = (standing: Standing) => nowMs - Date.parse(since.get(standing) ?? context.clock.now());
    return {
      payments: new Map(STANDINGS.map((standing) => [standing, counts.get(standing) ?? 0])),
      longestMs: new Map(PASSING.map((standing) => [standing, Math.max(0, ageMs(standing))])),
      changesInDoubt: (yield* listOpenChanges()).length,
      openBreaks: yield* countOpenBreaks(),
      sendingStopped,
      lastRuns: yield* listLastRuns(),
      lastEndedRuns: yield* listLastRuns({ isEnded: true }),
    };
  });
}

const PASSING = STANDINGS.filter(mustNotLast);
