/**
 * Group commit: when waiting transactions are committed. Soon when idle, and under load rarely, so that many share
 * one commit.
 */

/** Runs `commit` later, once for all transactions that wait until then; a simulation provides its own. */
export type ScheduleCommit = (commit: () => void) => void;

/** The longest pause after a slow commit. */
const REST_MAX_MS = 20;

/**
 * Runs at the end of the next turn of the event loop, after the work of the present one, because a connection takes
 * its next request only at the end of the turn that ended its last. Then pauses for as long as the commit took:
 * commits take at most half of the time on any machine, and the busier the callers, the more of them share one.
 */
export function pacedCommits(): ScheduleCommit {
  let restEndsMs = 0;
  return (commit) => {
    const timed = () => {
      const startMs = performance.now();
      commit();
      const endMs = performance.now();
      restEndsMs = endMs + Math.min(endMs - startMs, REST_MAX_MS);
    };
    const afterThisTurn = () => setImmediate(timed);
    const restMs = restEndsMs - performance.now();
    if (restMs > 0) setTimeout(timed, restMs);
    else setImmediate(afterThisTurn);
  };
}
