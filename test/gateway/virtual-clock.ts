/** A clock that stands still until somebody sleeps: sleeping takes no time, and is written down. */
import type { Clock } from "../../src/context/clock.ts";

export interface VirtualClock extends Clock {
  /** Milliseconds of every sleep, in the order they began. */
  readonly sleeps: readonly number[];
  /** Moves wall-clock time only, as a person or NTP would. */
  setBack(durationMs: number): void;
}

export function virtualClock(start = "2026-11-20T09:30:00.000Z"): VirtualClock {
  let wallMs = Date.parse(start);
  let passedMs = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => new Date(wallMs).toISOString(),
    monotonicMs: () => passedMs,
    setBack: (durationMs) => {
      wallMs -= durationMs;
    },
    sleep: async (durationMs, signal) => {
      signal?.throwIfAborted();
      sleeps.push(durationMs);
      // Sleepers that began together wake together.
      const wakeAtMs = passedMs + durationMs;
      await Promise.resolve();
      signal?.throwIfAborted();
      const goneMs = Math.max(0, wakeAtMs - passedMs);
      passedMs += goneMs;
      wallMs += goneMs;
    },
  };
}
