/** A run is polite: it holds back when asked to, sends less when it disturbs, and waits through outages. */
import { describe, expect, test } from "vitest";
import { type Outcome, payoutId } from "../../src/model/index.ts";
import { AdaptiveConcurrency } from "../../src/payments/sending/adaptive-concurrency.ts";
import type { Pause } from "../../src/payments/sending/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { type VirtualClock, virtualClock } from "../context/virtual-clock.ts";
import { CREATE, errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { testWithFile } from "../postgres.ts";
import { createdAt, creationArrivals, openLane, sandbox } from "./lane.ts";

const ACCEPTED: Outcome = {
  kind: "accepted",
  payoutId: payoutId("0d5d6e8a-0000-4000-8000-000000000001"),
  evidence: "202",
};
const CONFLICT: Outcome = { kind: "in doubt", evidence: "409", httpStatus: 409 };

describe("how many go out at once", () => {
  test("is halved by every conflict, never below one, and grows back by one after twenty accepted", () => {
    const concurrency = new AdaptiveConcurrency(virtualClock(), 8);
    const learning = (outcome: Outcome, times = 1) => {
      for (let time = 0; time < times; time += 1) concurrency.learn(outcome, undefined);
      return concurrency.current;
    };
    expect([learning(CONFLICT), learning(CONFLICT), learning(CONFLICT), learning(CONFLICT)]).toEqual([
      4, 2, 1, 1,
    ]);
    expect([
      learning(ACCEPTED, 19),
      learning(ACCEPTED),
      learning(ACCEPTED, 20),
      learning(ACCEPTED, 1000),
    ]).toEqual([1, 2, 3, 8]);
  });

  test("is one after an outage", () => {
    const concurrency = new AdaptiveConcurrency(virtualClock(), 8);
    concurrency.restart();
    expect(concurrency.current).toBe(1);
  });
});

test("a service that asks to be left alone for seven seconds is, and every row goes out after that", async () => {
  const clock = virtualClock();
  const times: number[] = [];
  const service = await startOddService(
    ({ path, answer }) => {
      if (path !== CREATE) return false;
      times.push(clock.monotonicMs());
      if (times.length !== 2) return false;
      answer(429, errorBody("SLOW_DOWN"), { "retry-after": "7", "content-type": "application/json" });
      return true;
    },
    { clock: () => Date.parse(clock.now()) },
  );
  const lane = openLane(service.url, { clock });
  await lane.approve(4);
  const pauses: Pause[] = [];
  await lane.pay({ onPause: (pause) => pauses.push(pause) });
  expect(pauses).toEqual([{ why: "service asks for it", milliseconds: 7000 }]);
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThanOrEqual(7000);
  expect(await lane.standings()).toEqual([
    "PAY-1 accepted",
    "PAY-2 in doubt",
    "PAY-3 accepted",
    "PAY-4 accepted",
  ]);
});

testWithFile(
  "an intent that waits longer than a minute for its turn is given back and written anew, under its own nonce",
  async () => {
    const clock = virtualClock();
    let arrived = 0;
    const open: (() => void)[] = [];
    const service = await startOddService(
      ({ path, honest, answer }) => {
        if (path !== CREATE) return false;
        arrived += 1;
        // The third request waits until all others in flight wait for their answers too, so that none is between
        // its intent and its send.
        if (arrived === 3) {
          const wait = { "retry-after": "90", "content-type": "application/json" };
          open.unshift(() => answer(429, errorBody("SLOW_DOWN"), wait));
        } else if (arrived >= 10 && arrived <= 12) {
          const { statusCode, body } = honest();
          open.push(() => answer(statusCode, body));
        } else return false;
        if (open.length === 4) void answerInTurn();
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { clock, policy: { nonceRule: "unique", concurrency: 4 } });
    async function answerInTurn(): Promise<void> {
      open[0]?.();
      await expect.poll(() => lane.standings()).toContainEqual(expect.stringMatching(/in doubt$/));
      for (const answerNow of open.slice(1)) answerNow();
    }
    await lane.approve(30);
    expect(await lane.pay()).toMatchObject({ accepted: 29, inDoubt: 1, notSent: 0 });
    const attempts = await lane.submissions();
    expect(attempts.filter(({ attempt }) => attempt === 2).length).toBeGreaterThan(0);
    expect(new Set(attempts.map(({ nonce }) => nonce)).size).toBe(30);
    expect(arrived).toBe(30);
  },
);

describe("an outage in the middle of a run", () => {
  const DOWN: FaultEffect = { kind: "answer", statusCode: 503, body: errorBody("DOWN"), committed: false };

  async function payThroughOutage(probesThatFail: number, outageMs: number, clock: VirtualClock) {
    const creations = [2, 3, 4].map((nth) => ({ operation: "createPayoutV2", nth, effect: DOWN }));
    // The first look-up is the one before sending.
    const probes = Array.from({ length: probesThatFail }, (_, index) => ({
      operation: "findPayoutFilteredV2",
      nth: 2 + index,
      effect: DOWN,
    }));
    const service = await sandbox({
      clock: () => Date.parse(clock.now()),
      faults: [...creations, ...probes],
    });
    const lane = openLane(service.url, { clock, policy: { outageMs } });
    await lane.approve(10);
    const pauses: Pause[] = [];
    const report = await lane.pay({ onPause: (pause) => pauses.push(pause) });
    return { service, lane, report, pauses };
  }

  test("is waited for with ever longer pauses, and then the rest goes out, each row once", async () => {
    const clock = virtualClock();
    const { service, lane, report, pauses } = await payThroughOutage(3, 60_000, clock);
    expect(pauses).toEqual([{ why: "service is out", milliseconds: 60_000 }]);
    expect(clock.sleeps.filter((sleepMs) => sleepMs >= 1000)).toEqual([1000, 2000, 4000, 8000]);
    expect(report.stopped).toBeUndefined();
    expect(report).toMatchObject({ accepted: 7, inDoubt: 3 });
    expect(createdAt(service)).toHaveLength(7);
    expect(creationArrivals(service)).toBe(10);
    expect(await lane.standings()).toContain("PAY-10 accepted");
  });

  test("that outlasts the policy ends the run, and what was not sent stays approved", async () => {
    const { service, lane, report } = await payThroughOutage(100, 20_000, virtualClock());
    expect(report.stopped).toMatchObject({ code: expect.stringMatching(/^SERVICE_/) });
    expect(creationArrivals(service)).toBe(4);
    expect((await lane.standings()).filter((line) => line.endsWith("approved"))).toHaveLength(6);
  });

  test("that lets only its probes through outlasts the policy too: the run does not go on for ever", async () => {
    const clock = virtualClock();
    const interrupt = new AbortController();
    let looks = 0;
    const service = await startOddService(
      ({ path, body, answer }) => {
        if (path !== FIND || !body.includes("PAY-")) return false;
        looks += 1;
        // The first looks are for the payments that are sent first.
        if (looks <= 2) return false;
        if (looks > 300) interrupt.abort();
        answer(503, errorBody("OVERLOADED"));
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { clock, policy: { outageMs: 60_000 } });
    await lane.approve(60);
    const report = await lane.pay({ signal: interrupt.signal });
    expect(interrupt.signal.aborted).toBe(false);
    expect(report).toMatchObject({ stopped: { code: "SERVICE_FAILED", next: "will-retry" }, inDoubt: 0 });
    expect(service.creations()).toHaveLength(report.accepted);
    expect(report.accepted).toBeGreaterThan(0);
  });

  test("ends at once when the run is stopped", async () => {
    const service = await sandbox({
      faults: [2, 3, 4].map((nth) => ({ operation: "createPayoutV2", nth, effect: DOWN })),
    });
    const lane = openLane(service.url, { policy: { outageMs: 3_600_000 } });
    await lane.approve(10);
    const interrupt = new AbortController();
    const paying = lane.pay({ signal: interrupt.signal });
    await expect.poll(() => creationArrivals(service), { timeout: 20_000 }).toBe(4);
    interrupt.abort();
    expect(await paying).toMatchObject({ inDoubt: 3 });
    expect(creationArrivals(service)).toBe(4);
  });
});
