/** When work that has gathered is carried out: soon after a rest, and under load rarely enough that much of it goes together. */

/** Carries out `work` later, once for everything that gathers until then; a simulation puts its own here. */
export type Gather = (work: () => void) => void;

/** What slow work may make others wait for at most. */
const REST_MAX_MS = 20;

/**
 * Works at the end of the event loop's next turn, behind what this one has in hand: a connection takes its next request only at the end
 * of the turn that ended its last one. After that it rests as long as it took: at most half of the time goes into such work, whatever
 * it costs on this machine, and the busier its callers are the more of them share one go.
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
