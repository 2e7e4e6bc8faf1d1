/** The only way to the time. A simulation puts a virtual clock here. */
import { setTimeout as wait } from "node:timers/promises";
import type { Instant } from "../model/instant.ts";

export interface Clock {
  /** Wall-clock time, UTC; may jump. */
  now(): Instant;
  /** Milliseconds that only ever grow; for durations and deadlines. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  sleep: (durationMs, signal) => wait(durationMs, undefined, signal === undefined ? {} : { signal }),
};
