/** Spaces requests evenly, so that the service never sees more than `ratePerSecond` of them in a second. */
import type { Clock } from "../context/clock.ts";

export function pace(clock: Clock, ratePerSecond: number): () => Promise<void> {
  const spacingMs = 1000 / ratePerSecond;
  let nextSlotMs = 0;
  return async () => {
    const nowMs = clock.monotonicMs();
    const slotMs = Math.max(nowMs, nextSlotMs);
    nextSlotMs = slotMs + spacingMs;
    if (slotMs > nowMs) await clock.sleep(slotMs - nowMs);
  };
}
