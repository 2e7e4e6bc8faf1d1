/** The only way to the time. A simulation puts a virtual clock here. */
import { setTimeout as wait } from "node:timers/promises";
import type { Instant, Moment } from "../model/instant.ts";

export interface Clock {
  /** Wall-clock time, UTC; may jump. */
  now(): Instant;
  /**
   * Milliseconds that only ever grow, for durations and deadlines. Two processes of one machine read the same clock; it begins
   * anew when the machine does.
   */
  monotonicMs(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  sleep: (durationMs, signal) => wait(durationMs, undefined, signal === undefined ? {} : { signal }),
};

/** Whether the time has passed; false when the signal aborted the wait. */
export async function hasSlept(clock: Clock, durationMs: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(durationMs, signal);
    return true;
  } catch (error) {
    if (signal?.aborted === true) return false;
    throw error;
  }
}

/** Does `work` again and again, without keeping the process alive for it; returns what ends that. */
export function every(periodMs: number, work: () => void): () => void {
  const timer = setInterval(work, periodMs).unref();
  return () => clearInterval(timer);
}

/** Now, on both clocks. */
export function momentOf(clock: Clock): Moment {
  return { at: clock.now(), monotonicMs: clock.monotonicMs() };
}
