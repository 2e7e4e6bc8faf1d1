/** Decides when gathered work runs: soon when idle, and under load rarely enough that much of it runs together. */

/** Runs `work` later, once for everything gathered until then; a simulation provides its own. */
export type Gather = (work: () => void) => void;

/** The longest pause after slow work. */
const REST_MAX_MS = 20;

/**
 * Runs at the end of the next turn of the event loop, after the work of the present one, because a connection takes its
 * next request only at the end of the turn that ended its last. Then pauses for as long as the work took: at most half
 * of the time is spent on it, whatever it costs on this machine, and the busier the callers, the more of them share one
 * run.
 */
export function pacedGather(): Gather {
  let restEndsMs = 0;
  return (work) => {
    const timed = () => {
      const startMs = performance.now();
      work();
      const endMs = performance.now();
      restEndsMs = endMs + Math.min(endMs - startMs, REST_MAX_MS);
    };
    const afterThisTurn = () => setImmediate(timed);
    const restMs = restEndsMs - performance.now();
    if (restMs > 0) setTimeout(timed, restMs);
    else setImmediate(afterThisTurn);
  };
}
