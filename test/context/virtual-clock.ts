/** A clock that advances only when everybody sleeps, to the time at which the first one wakes. */
import type { Clock } from "../../src/index.ts";

export interface VirtualClock extends Clock {
  /** Milliseconds of every sleep, in the order they began. */
  readonly sleeps: readonly number[];
  /** Changes only the wall-clock time, as a person might, forward or back. */
  moveWall(durationMs: number): void;
}

interface Sleeper {
  readonly wakeAtMs: number;
  wake(): void;
}

export function virtualClock(start = "2026-11-20T09:30:00.000Z"): VirtualClock {
  let wallAtZeroMs = Date.parse(start);
  let passedMs = 0;
  const sleeps: number[] = [];
  const sleepers: Sleeper[] = [];
  const passTime = () => {
    sleepers.sort((left, right) => left.wakeAtMs - right.wakeAtMs);
    const first = sleepers.shift();
    passedMs = Math.max(passedMs, first?.wakeAtMs ?? passedMs);
    first?.wake();
  };
  return {
    sleeps,
    now: () => new Date(wallAtZeroMs + passedMs).toISOString(),
    monotonicMs: () => passedMs,
    moveWall: (durationMs) => {
      wallAtZeroMs += durationMs;
    },
    sleep: (durationMs, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push(durationMs);
        const wake = () => (signal?.aborted === true ? reject(signal.reason) : resolve());
        sleepers.push({ wakeAtMs: passedMs + durationMs, wake });
        setImmediate(passTime);
      }),
  };
}
