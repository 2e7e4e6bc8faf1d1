/** Scheduled runs against a service that answers looks but rejects creations: how many doubts a weekend costs. */
import { describe, expect, test } from "vitest";
import type { ExecutionPolicy } from "../../src/payments/sending/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { creationArrivals, openLane, sandbox } from "./lane.ts";

const MINUTE_MS = 60_000;

const DENIED: FaultEffect = { kind: "answer", statusCode: 403, body: errorBody("DENIED"), committed: false };

const LOST: FaultEffect = { kind: "cut-before-read" };

/** A lane with this many rows, a service where each creation meets `effect`, and a run every five minutes. */
async function denied(effect = DENIED, rows = 100, nonceRule: ExecutionPolicy["nonceRule"] = "unknown") {
  const clock = virtualClock();
  const service = await sandbox({
    faults: [{ operation: "createPayoutV2", effect }],
    clock: () => Date.parse(clock.now()),
  });
  const lane = openLane(service.url, { clock, policy: { nonceRule } });
  await lane.approve(rows);
  const runBySchedule = async () => {
    clock.moveWall(5 * MINUTE_MS);
    return lane.pay({ isScheduled: true });
  };
  return { clock, service, lane, runBySchedule };
}

describe("after creations that all ended in doubt, a scheduled run", () => {
  test("pauses longer each time, and says until when", async () => {
    const { clock, service, lane, runBySchedule } = await denied();
    const arrivedAtMinute: number[] = [];
    const startMs = Date.parse(clock.now());
    for (let run = 0; run < (12 * 60) / 5; run += 1) {
      const before = creationArrivals(service);
      const { stopped } = await runBySchedule();
      const began = creationArrivals(service) - before;
      expect(stopped?.code).toBe(began === 0 ? "CREATIONS_PAUSED" : "KEY_REFUSED");
      if (began > 0) arrivedAtMinute.push(Math.round((Date.parse(clock.now()) - startMs) / MINUTE_MS));
    }
    expect(arrivedAtMinute).toEqual([5, 10, 15, 25, 45, 85, 165, 325, 485, 645]);
    expect((await lane.standings()).filter((line) => line.endsWith("in doubt"))).toHaveLength(10);
    const { stopped } = await lane.pay({ isScheduled: true });
    expect(stopped?.message).toMatch(/^the last 7 payouts .* until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  });

  test("pauses even if its newest outcomes are intents that it gave back", async () => {
    const { service, lane, runBySchedule } = await denied(LOST, 100, "unique");
    await runBySchedule();
    const doubts = creationArrivals(service);
    expect((await lane.submissions()).at(-1)).toMatchObject({ outcome: "not sent", sends: 0 });
    expect((await runBySchedule()).stopped).toMatchObject({ code: "CREATIONS_PAUSED" });
    expect((await lane.pay()).stopped).toMatchObject({ code: "CREATIONS_UNANSWERED" });
    expect(creationArrivals(service)).toBe(doubts + 1);
  });

  test("sends everything due after its pause, once one creation has succeeded or was refused", async () => {
    const { service, runBySchedule } = await denied();
    for (let run = 0; run < 3; run += 1) await runBySchedule();
    service.setFaults([]);
    expect(await runBySchedule()).toMatchObject({ accepted: 0, stopped: { code: "CREATIONS_PAUSED" } });
    expect(await runBySchedule()).toMatchObject({ accepted: 97 });
    expect(creationArrivals(service)).toBe(100);
  });

  test("does not delay a run that a person starts", async () => {
    const { service, lane, runBySchedule } = await denied();
    for (let run = 0; run < 3; run += 1) await runBySchedule();
    service.setFaults([]);
    expect(await lane.pay()).toMatchObject({ accepted: 97 });
  });

  test("does not pause if the clock went back", async () => {
    const { clock, lane, runBySchedule } = await denied();
    for (let run = 0; run < 3; run += 1) await runBySchedule();
    clock.moveWall(-24 * 60 * MINUTE_MS);
    expect(await lane.pay({ isScheduled: true })).toMatchObject({ stopped: { code: "KEY_REFUSED" } });
  });

  test("does not mention a pause if nothing is due", async () => {
    const { lane, runBySchedule } = await denied(DENIED, 3);
    for (let run = 0; run < 3; run += 1) await runBySchedule();
    expect(await lane.standings()).toEqual(["PAY-1 in doubt", "PAY-2 in doubt", "PAY-3 in doubt"]);
    expect((await runBySchedule()).stopped).toBeUndefined();
  });
});
