/** The age of a submission, when machines with different clocks take turns with its lane. */
import { expect, test } from "vitest";
import { type Outcome, payoutId } from "../../src/model/index.ts";
import { timeByClock } from "../../src/store/engines/lane-clocks.ts";
import type { Store } from "../../src/store/store.ts";
import { listSubmissions, recordOutcome, recordResend } from "../../src/store/submissions.ts";
import { recordSeen } from "../../src/store/visibility.ts";
import { NOW, openStore, storeOneEnded } from "./stored-batch.ts";

const DOUBT: Outcome = { kind: "in doubt", evidence: "cut" };
const ACCEPTED: Outcome = { kind: "accepted", payoutId: payoutId("P-1"), evidence: "answered 202" };

async function ended(outcome: Outcome, monotonicMs: number) {
  const store = openStore();
  const { id, number } = await storeOneEnded(store, outcome, monotonicMs);
  const endedMs = async () => (await store.read(() => listSubmissions(id)))[0]?.endedMonotonicMs;
  return { store, number, endedMs };
}

const takes = (store: Store, clock: string, formerClock: string, monotonicMs: number) =>
  store.write(() => timeByClock("key-1", formerClock, { clock, monotonicMs }));

test.each([DOUBT, ACCEPTED])(
  "each machine counts by its own clock, from the end or from when it came to it, however often they take turns: $kind",
  async (outcome) => {
    const { store, endedMs } = await ended(outcome, 1_000);
    await takes(store, "b", "a", 7_000_000);
    expect(await endedMs()).toBe(7_000_000);
    await takes(store, "a", "b", 61_000);
    expect(await endedMs()).toBe(1_000);
    await takes(store, "b", "a", 7_120_000);
    expect(await endedMs()).toBe(7_000_000);
    await takes(store, "c", "b", 5);
    expect(await endedMs()).toBe(5);
    await takes(store, "a", "c", 181_000);
    expect(await endedMs()).toBe(1_000);
  },
);

test("a re-send on another machine resets the end for all machines", async () => {
  const { store, number, endedMs } = await ended(DOUBT, 1_000);
  await takes(store, "b", "a", 7_000_000);
  await store.write(() => recordResend(number, "0", { at: NOW, monotonicMs: 7_060_000 }));
  await takes(store, "a", "b", 120_000);
  expect(await endedMs()).toBe(120_000);
  await takes(store, "b", "a", 7_200_000);
  expect(await endedMs()).toBe(7_060_000);
});

test("an acceptance after a doubt resets the end too", async () => {
  const { store, number, endedMs } = await ended(DOUBT, 1_000);
  await takes(store, "b", "a", 7_000_000);
  await store.write(() => recordOutcome(number, ACCEPTED, { at: NOW, monotonicMs: 7_060_000 }));
  await takes(store, "a", "b", 120_000);
  expect(await endedMs()).toBe(120_000);
});

test("what has been seen is not compared with another clock's measurements", async () => {
  const { store, number, endedMs } = await ended(ACCEPTED, 1_000);
  await store.write(() => recordSeen(number, 10, "equal"));
  await takes(store, "b", "a", 7_000_000);
  expect(await endedMs()).toBeUndefined();
});
