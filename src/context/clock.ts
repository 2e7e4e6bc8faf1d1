/** The only access to the time; a simulation provides a virtual clock. */
import { setTimeout as wait } from "node:timers/promises";
import type { Instant, Moment } from "../model/instant.ts";

export interface Clock {
  /** Wall-clock time, UTC; may jump. */
  now(): Instant;
  /** Monotonic milliseconds since the machine's start, the same for all its processes. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** Formatted once a millisecond, because many payments ask for it. */
let written: { readonly ms: number; readonly instant: Instant } = { ms: Number.NaN, instant: "" };

export const systemClock: Clock = {
  now: () => {
    const ms = Date.now();
    if (ms !== written.ms) written = { ms, instant: new Date(ms).toISOString() };
    return written.instant;
  },
  monotonicMs: () => Number(process.hrtime.bigint()) / 1_000_000,
  sleep: (durationMs, signal) => wait(durationMs, undefined, signal === undefined ? {} : { signal }),
};

/** Sleeps; returns false if the signal aborted it. */
export async function sleepUnlessAborted(
  clock: Clock,
  durationMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await clock.sleep(durationMs, signal);
    return true;
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
}

/** Repeats `work` without keeping the process alive; returns a function that stops it. */
export function every(periodMs: number, work: () => void): () => void {
  const timer = setInterval(work, periodMs).unref();
  return () => clearInterval(timer);
}

/** Now, on both clocks. */
export function momentOf(clock: Clock): Moment {
  return { at: clock.now(), monotonicMs: clock.monotonicMs() };
}
