/** Requests are spaced evenly for any number of callers at once. */
import { expect, test } from "vitest";
import { rateLimit } from "../../src/gateway/gateway.ts";
import { virtualClock } from "../context/virtual-clock.ts";

test("never more than the rate leaves within a second, and nobody waits longer than needed", async () => {
  const clock = virtualClock();
  const nextSlot = rateLimit(clock, 4);
  const left: number[] = [];
  const request = async () => {
    await nextSlot();
    left.push(clock.monotonicMs());
  };
  await Promise.all(Array.from({ length: 9 }, request));
  expect(left).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000]);
});

test("a pause does not save up slots for a burst", async () => {
  const clock = virtualClock();
  const nextSlot = rateLimit(clock, 4);
  await nextSlot();
  await clock.sleep(60_000);
  await Promise.all([nextSlot(), nextSlot()]);
  expect(clock.sleeps).toEqual([60_000, 250]);
});
