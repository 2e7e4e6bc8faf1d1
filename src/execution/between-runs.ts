/**
 * Runs by schedule hold back while creations come to no outcome. A service that answers looks and turns creations away (a key that lost a
 * right on a Friday evening) would otherwise be given one more doubt by each run, hundreds until Monday, each for a person to decide.
 */
import { type Problem, problem } from "../faults/index.ts";
import { type Instant, minuteText } from "../model/index.ts";
import type { LastOutcome } from "../store/submissions.ts";
import { IN_A_ROW_MAX } from "./stop-rules.ts";

const FIRST_PAUSE_MS = 10 * 60_000;
const DOUBLINGS_MAX = 4;

/** The latest creations that are weighed: more of them would not make the pause longer. */
export const OUTCOMES_WEIGHED = IN_A_ROW_MAX + DOUBLINGS_MAX;

/**
 * Why a run by schedule begins nothing new yet: the latest creations, `last`, newest first, all ended in doubt. The pause is 10 minutes
 * after three of them, 20 after four, and at most 2 h 40 min; undefined where it is over. The wall clock counts, as processes come and
 * go; where it went back, nothing is waited for.
 */
export function whyNotYet(last: readonly (LastOutcome | undefined)[], now: Instant): Problem | undefined {
  const firstOther = last.findIndex((one) => one?.kind !== "in doubt");
  const inARow = firstOther === -1 ? last.length : firstOther;
  const endedAt = last[0]?.endedAt;
  if (inARow < IN_A_ROW_MAX || endedAt === undefined) return undefined;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (inARow - IN_A_ROW_MAX);
  const sinceMs = Date.parse(now) - Date.parse(endedAt);
  if (sinceMs < 0 || sinceMs >= pauseMs) return undefined;
  const until = new Date(Date.parse(endedAt) + pauseMs).toISOString();
  return problem("CREATIONS_PAUSED", { count: inARow, until: minuteText(until) });
}
