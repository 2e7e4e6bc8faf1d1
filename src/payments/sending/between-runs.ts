/**
 * Pauses scheduled runs while creations keep ending in doubt. If the service answers look-ups but not creations (a key
 * loses a permission on a Friday evening), each run would otherwise add a doubt for a person: hundreds by Monday.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type Instant, minuteText, shifted } from "../../model/index.ts";
import type { LastOutcome } from "../../store/submissions.ts";
import { IN_A_ROW_MAX } from "./stop-rules.ts";

const FIRST_PAUSE_MS = 10 * 60_000;
const DOUBLINGS_MAX = 4;

/** How many of the latest outcomes are considered; the pause is at its maximum after so many. */
export const OUTCOMES_WEIGHED = IN_A_ROW_MAX + DOUBLINGS_MAX;

/**
 * Why a scheduled run may not create payouts yet; undefined if it may. `last`: the latest outcomes, newest first. The
 * pause is 10 minutes after three doubts in a row, 20 after four, and so on up to 2 h 40 min. It is measured by the
 * wall clock, because the runs are different processes; there is no pause if that clock went back.
 */
export function whyPaused(last: readonly (LastOutcome | undefined)[], now: Instant): Problem | undefined {
  const firstOther = last.findIndex((outcome) => outcome?.kind !== "in doubt");
  const inARow = firstOther === -1 ? last.length : firstOther;
  const endedAt = last[0]?.endedAt;
  if (inARow < IN_A_ROW_MAX || endedAt === undefined) return undefined;
  const pauseMs = FIRST_PAUSE_MS * 2 ** (inARow - IN_A_ROW_MAX);
  const sinceMs = Date.parse(now) - Date.parse(endedAt);
  if (sinceMs < 0 || sinceMs >= pauseMs) return undefined;
  return problem("CREATIONS_PAUSED", { count: inARow, until: minuteText(shifted(endedAt, pauseMs)) });
}
