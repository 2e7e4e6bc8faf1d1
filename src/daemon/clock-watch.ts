/**
 * Notices that the wall clock was set back. A timer for an instant would wait until the clock shows it again: after a
 * machine that started with a wrong year, for a year.
 */
import { type Clock, every } from "../context/clock.ts";

const LOOK_EVERY_MS = 10_000;

/** Smaller steps are what time servers do every day; waiting so much longer hurts nobody. */
const SET_BACK_MIN_MS = 60_000;

/** Calls `work` with how far the clock was set back, each time that it is; returns a function that ends the watch. */
export function whenSetBack(clock: Clock, work: (byMs: number) => void): () => void {
  let aheadMs = aheadOfMachineMs(clock);
  return every(LOOK_EVERY_MS, () => {
    const earlierMs = aheadMs;
    aheadMs = aheadOfMachineMs(clock);
    if (earlierMs - aheadMs >= SET_BACK_MIN_MS) work(earlierMs - aheadMs);
  });
}

/** Only setting the wall clock changes it, and a machine that sleeps: then it grows. */
function aheadOfMachineMs(clock: Clock): number {
  return Date.parse(clock.now()) - clock.monotonicMs();
}
