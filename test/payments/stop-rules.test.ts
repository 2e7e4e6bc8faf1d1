/** When a run stops automatically, so that one wrong setting does not cost a whole file. */
import { describe, expect, test } from "vitest";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { creationArrivals, openLane, sandbox } from "./lane.ts";

const answerOf = (statusCode: number, code: string): FaultEffect => ({
  kind: "answer",
  statusCode,
  body: errorBody(code, "words"),
  committed: false,
});

/** Runs ten rows against creations that meet these effects, first to last; the others are answered normally. */
async function runAgainst(effects: readonly (FaultEffect | undefined)[]) {
  const faults = effects.flatMap((effect, index) =>
    effect === undefined ? [] : [{ operation: "createPayoutV2", nth: index + 1, effect }],
  );
  const service = await sandbox({ faults });
  const lane = openLane(service.url);
  await lane.approve(10);
  const report = await lane.pay();
  return { report, arrived: creationArrivals(service), standings: await lane.standings() };
}

const REFUSED = answerOf(400, "INVALID_PARAMETER");
const CONFLICT = answerOf(409, "CONFLICT_NONCE");
const FAILED = answerOf(500, "FAILED");
const CUT: FaultEffect = { kind: "cut-before-read" };
const ok = undefined;

describe("a run stops", () => {
  test("at once under a stop order, without a look or a wait for a code", async () => {
    const clock = virtualClock();
    const service = await sandbox({ clock: () => Date.parse(clock.now()) });
    const lane = openLane(service.url, { clock, otpSingleUse: true, policy: { stopOrder: () => "fire" } });
    await lane.approve(20);
    const report = await lane.pay();
    expect(report).toMatchObject({
      due: 20,
      postponed: 0,
      problems: [],
      stopped: { code: "SENDING_STOPPED" },
    });
    expect(service.arrivals()).toEqual([]);
    expect(clock.sleeps).toEqual([]);
  });

  test("in the middle of its rows if the order is given then", async () => {
    const service = await sandbox();
    const isGiven = () => creationArrivals(service) > 3;
    const lane = openLane(service.url, {
      policy: { concurrency: 1, stopOrder: () => (isGiven() ? "fire" : undefined) },
    });
    await lane.approve(20);
    const report = await lane.pay();
    expect(report).toMatchObject({
      accepted: 4,
      postponed: 0,
      problems: [],
      stopped: { code: "SENDING_STOPPED" },
    });
    expect(creationArrivals(service)).toBe(4);
    expect(await lane.standings()).toEqual(
      Array.from({ length: 20 }, (_, index) => `PAY-${index + 1} ${index < 4 ? "accepted" : "approved"}`),
    );
  });

  test("not, nor waits for an outage, if its own process is paused right before a first byte", async () => {
    for (let paused = 1; paused <= 8; paused += 1) {
      const clock = virtualClock();
      const service = await sandbox({ clock: () => Date.parse(clock.now()) });
      let [asked, pauseMs] = [0, 0];
      const stopOrder = () => {
        asked += 1;
        if (asked === paused) pauseMs = 61_000;
        return undefined;
      };
      const lane = openLane(service.url, {
        clock: { ...clock, monotonicMs: () => clock.monotonicMs() + pauseMs },
        policy: { concurrency: 1, stopOrder },
      });
      await lane.approve(3);
      expect(await lane.pay()).toMatchObject({ accepted: 3, problems: [] });
      const waits = clock.sleeps.filter((ms) => ms >= 1_000);
      expect(waits, `paused when asked ${paused} times`).toEqual([]);
      expect(creationArrivals(service)).toBe(3);
    }
  });

  test("because of the order, not an outage, even if it is given right before a first byte", async () => {
    const service = await sandbox();
    const codes = new Set<string | undefined>();
    let withheld = 0;
    for (let honoured = 1; honoured <= 8; honoured += 1) {
      let asked = 0;
      const stopOrder = () => {
        asked += 1;
        return asked > honoured ? "fire" : undefined;
      };
      const lane = openLane(service.url, { policy: { concurrency: 1, stopOrder } });
      await lane.approve(3, (row) => ({ reference: `PAY-${honoured}-${row}` }));
      const report = await lane.pay();
      if (report.accepted < 3) codes.add(report.stopped?.code);
      withheld += report.notSent;
    }
    expect([...codes]).toEqual(["SENDING_STOPPED"]);
    expect(withheld).toBeGreaterThan(0);
  });

  test("when its first creation is refused", async () => {
    const { report, arrived } = await runAgainst([REFUSED]);
    expect(report.stopped).toMatchObject({ code: "FIRST_CREATION_REFUSED" });
    expect(arrived).toBe(1);
  });

  test("when three in a row are refused, and names the last reason", async () => {
    const { report, arrived } = await runAgainst([ok, REFUSED, REFUSED, REFUSED]);
    expect(report.stopped).toMatchObject({
      code: "REFUSED_IN_A_ROW",
      message: expect.stringContaining("words"),
    });
    expect(arrived).toBe(4);
  });

  test("when a repeated code is refused as such, and names the key to set", async () => {
    const clock = virtualClock();
    const service = await sandbox({ otpSingleUse: true, clock: () => Date.parse(clock.now()) });
    const lane = openLane(service.url, { clock, otpSingleUse: false });
    await lane.approve(5);
    const report = await lane.pay();
    expect(report).toMatchObject({ accepted: 1, refused: 1 });
    expect(report.stopped).toMatchObject({
      code: "ONE_TIME_CODE_USED_UP",
      fix: expect.stringContaining("`otp.singleUse: true`"),
    });
    expect(creationArrivals(service)).toBe(2);
  });

  test("after three conflicts in a row: something else uses the key", async () => {
    const { report, arrived } = await runAgainst([ok, CONFLICT, CONFLICT, CONFLICT]);
    expect(report.stopped).toMatchObject({ code: "CONFLICTS_IN_A_ROW" });
    expect(arrived).toBe(4);
  });

  test("at the first conflict if earlier runs ended with conflicts, until a creation is answered otherwise", async () => {
    const faults = [{ operation: "createPayoutV2", effect: CONFLICT }];
    const service = await sandbox({ faults });
    const lane = openLane(service.url);
    await lane.approve(10);
    for (const arrived of [3, 4, 5]) {
      expect(await lane.pay()).toMatchObject({ stopped: { code: "CONFLICTS_IN_A_ROW" } });
      expect(creationArrivals(service)).toBe(arrived);
    }
    service.setFaults([{ operation: "createPayoutV2", nth: 2, effect: CONFLICT }]);
    expect(await lane.pay()).toMatchObject({ accepted: 4, inDoubt: 1 });
  });

  test("after six conflicts and lost answers in turn; the next run after two", async () => {
    const faults = Array.from({ length: 10 }, (_, index) => ({
      operation: "createPayoutV2",
      nth: index + 1,
      effect: index % 2 === 0 ? CONFLICT : CUT,
    }));
    const service = await sandbox({ faults });
    const lane = openLane(service.url);
    await lane.approve(10);
    for (const arrived of [6, 8]) {
      expect(await lane.pay()).toMatchObject({ stopped: { code: "CREATIONS_UNANSWERED" } });
      expect(creationArrivals(service)).toBe(arrived);
    }
  });

  test.each([[[FAILED, FAILED, FAILED]], [[CUT, CUT, CUT]], [[CUT, FAILED, answerOf(429, "SLOW")]]])(
    "after three in a row without an outcome: the service is out",
    async (effects) => {
      const { report, arrived, standings } = await runAgainst([ok, ...effects]);
      expect(report.stopped).toMatchObject({ code: "SERVICE_OUT", next: "will-retry" });
      expect(arrived).toBe(4);
      expect(standings.filter((line) => line.endsWith("in doubt"))).toHaveLength(3);
    },
  );

  test("after one more creation if only look-ups are answered; the next run after its first", async () => {
    const clock = virtualClock();
    const faults = [{ operation: "createPayoutV2", effect: FAILED }];
    const service = await sandbox({ faults, clock: () => Date.parse(clock.now()) });
    const lane = openLane(service.url, { clock, policy: { outageMs: 60_000 } });
    await lane.approve(10);
    for (const doubts of [4, 5]) {
      expect(await lane.pay()).toMatchObject({ stopped: { code: "CREATIONS_UNANSWERED" } });
      expect(creationArrivals(service)).toBe(doubts);
    }
    service.setFaults([]);
    expect(await lane.pay()).toMatchObject({ accepted: 5 });
  });

  test.each([401, 403])("at once when the key is refused with %i", async (status) => {
    const { report, arrived } = await runAgainst([ok, answerOf(status, "KEY")]);
    expect(report.stopped).toMatchObject({ code: "KEY_REFUSED" });
    expect(arrived).toBe(2);
  });
});

describe("a run goes on", () => {
  test("despite single refusals, conflicts and lost answers", async () => {
    const { report, arrived } = await runAgainst([
      ok,
      REFUSED,
      REFUSED,
      ok,
      CONFLICT,
      CONFLICT,
      CUT,
      CUT,
      ok,
      REFUSED,
    ]);
    expect(report.stopped).toBeUndefined();
    expect(report).toMatchObject({ accepted: 3, refused: 3, inDoubt: 4 });
    expect(arrived).toBe(10);
  });
});

describe("under nonce.rule increasing", () => {
  test("a doubt pauses the lane, in this run and in the next, until it is resolved", async () => {
    const service = await sandbox({ faults: [{ operation: "createPayoutV2", nth: 2, effect: CUT }] });
    const lane = openLane(service.url, { policy: { nonceRule: "increasing" } });
    await lane.approve(4);
    for (let run = 0; run < 3; run += 1)
      expect(await lane.pay()).toMatchObject({ stopped: { code: "LANE_PAUSED" } });
    expect(creationArrivals(service)).toBe(2);
  });

  test("a doubt that is found lets the next run send", async () => {
    const service = await sandbox({
      faults: [{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-after-commit" } }],
    });
    const lane = openLane(service.url, { policy: { nonceRule: "increasing" } });
    await lane.approve(4);
    const first = await lane.pay();
    expect(first).toMatchObject({ accepted: 2, inDoubt: 0, resolutions: [{ now: "accepted" }] });
    // The run only has to be repeated; no person needs to decide.
    expect(first.stopped).toMatchObject({ code: "LANE_FREE_AGAIN", next: "will-retry" });
    expect(await lane.pay()).toMatchObject({ accepted: 2 });
    expect(creationArrivals(service)).toBe(4);
  });

  test("a refused key is named, not the pause that follows from it", async () => {
    const service = await sandbox({
      faults: [{ operation: "createPayoutV2", nth: 1, effect: answerOf(401, "KEY") }],
    });
    const lane = openLane(service.url, { policy: { nonceRule: "increasing" } });
    await lane.approve(2);
    expect(await lane.pay()).toMatchObject({ stopped: { code: "KEY_REFUSED" } });
  });
});
