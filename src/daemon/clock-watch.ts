/**
 * Notices that the wall clock was set, or that the machine slept. A timer for an instant counts the machine's own
 * time: it ends hours too late after a sleep, and a year too late after a start with a wrong year.
 */
import { type Clock, every } from "../context/clock.ts";

const LOOK_EVERY_MS = 10_000;

/** Smaller steps are daily corrections by time servers; waiting that much longer does no harm. */
const STEP_MIN_MS = 60_000;

/**
 * Calls `work` each time with the size of the step, below 0 if the clock went back; returns a function that ends
 * the watch.
 */
export function whenClockIsSet(clock: Clock, work: (byMs: number) => void): () => void {
  let aheadMs = aheadOfMachineMs(clock);
  return every(LOOK_EVERY_MS, () => {
    const earlierMs = aheadMs;
    aheadMs = aheadOfMachineMs(clock);
    const byMs = aheadMs - earlierMs;
    if (Math.abs(byMs) >= STEP_MIN_MS) work(byMs);
  });
}

function aheadOfMachineMs(clock: Clock): number {
  return Date.parse(clock.now()) - clock.monotonicMs();
}
