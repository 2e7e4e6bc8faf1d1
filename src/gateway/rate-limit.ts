/** Rate limit: spaces requests evenly, so that the service sees at most `ratePerSecond` per second. */
import type { Clock } from "../context/clock.ts";

export function rateLimit(clock: Clock, ratePerSecond: number): () => Promise<void> {
  const spacingMs = 1000 / ratePerSecond;
  let nextSlotMs = 0;
  return async () => {
    const nowMs = clock.monotonicMs();
    const slotMs = Math.max(nowMs, nextSlotMs);
    nextSlotMs = slotMs + spacingMs;
    if (slotMs > nowMs) await clock.sleep(slotMs - nowMs);
  };
}
