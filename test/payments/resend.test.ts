/**
 * A doubted payout is sent again automatically only under its own nonce, only if a stated rule makes the service
 * take a nonce once, and only after the payout had time to appear. The service's own count decides.
 */
import { describe, expect, test } from "vitest";
import type { Routes } from "../../src/gateway/index.ts";
import { amountOf, Decimal } from "../../src/money/index.ts";
import { PAYOUTS, sweep } from "../../src/observation/index.ts";
import {
  abandonByPerson,
  type Creation,
  type ExecutionPolicy,
  resendByPerson,
} from "../../src/payments/sending/index.ts";
import type { FaultScript, ServerOptions } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { insertChange, recordChangeOutcome } from "../../src/store/changes.ts";
import { allocateNonce } from "../../src/store/nonces.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { CREATE, errorBody, FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { createdAt, creationArrivals, openLane, sandbox, until } from "./lane.ts";

const SETTLE_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNIQUE: Partial<ExecutionPolicy> = { nonceRule: "unique", nonceMemoryMs: 30 * DAY_MS };
const INCREASING: Partial<ExecutionPolicy> = { nonceRule: "increasing" };

const EMPTY_PAGE = `{"results":{"content":[],"totalPages":0,"totalElements":0,"number":0,"first":true,"last":true,"numberOfElements":0}}`;

const lost = (nth: number): FaultScript => ({
  operation: "createPayoutV2",
  nth,
  effect: { kind: "cut-before-read" },
});

/** One payout is accepted and seen; the request of the second is lost. */
async function doubted(policy: Partial<ExecutionPolicy>, options: ServerOptions = {}, routes: Routes = {}) {
  const clock = virtualClock();
  const service = await sandbox({ clock: () => Date.parse(clock.now()), faults: [lost(2)], ...options });
  const lane = openLane(service.url, { policy, clock, routes });
  await lane.approve(2);
  await lane.pay();
  expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 in doubt"]);
  return { clock, service, lane };
}

describe("a payout whose request was lost", () => {
  test.each([
    ["unique", UNIQUE],
    ["increasing", INCREASING],
  ])(
    "goes out again after the settle window, under its own nonce, and once, under %s",
    async (_rule, policy) => {
      const { clock, service, lane } = await doubted(policy);
      await clock.sleep(SETTLE_MS - 1000);
      await lane.pay();
      expect(creationArrivals(service)).toBe(2);
      expect(await lane.lastLook("PAY-2")).toContain("1 min of the settle window are left");
      await clock.sleep(2000);
      expect(await lane.pay()).toMatchObject({ resolutions: [{ now: "accepted" }] });
      await lane.pay();
      expect(createdAt(service)).toEqual(["PAY-1", "PAY-2"]);
      expect(creationArrivals(service)).toBe(3);
      const [, second] = service.creations();
      expect((await lane.submissions())[1]).toMatchObject({ nonce: second?.nonce, sends: 2, attempt: 1 });
      expect(await lane.store.read(() => listAudit(["PAY-2"]))).toMatchObject([
        { action: "payout in doubt" },
        { action: "payout sent again", detail: { nonce: String(second?.nonce), send: 2 } },
        { action: "payout accepted" },
      ]);
    },
  );

  test("is not re-sent within the millisecond in which its send ended, on a machine that has run for days", async () => {
    const clock = virtualClock();
    const service = await sandbox({ clock: () => Date.parse(clock.now()), faults: [lost(2)] });
    const upMs = 10 * DAY_MS + 0.7;
    const running = { ...clock, monotonicMs: () => clock.monotonicMs() + upMs };
    const lane = openLane(service.url, { policy: UNIQUE, clock: running });
    await lane.approve(2);
    for (let run = 0; run < 2; run += 1) await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 in doubt"]);
    expect(await lane.lastLook("PAY-2")).toContain("15 min of the settle window are left");
    expect(creationArrivals(service)).toBe(2);
  });

  test("is not re-sent after a look from before its settle window's end, even if other doubts delayed it", async () => {
    const clock = virtualClock();
    const service = await sandbox({
      clock: () => Date.parse(clock.now()),
      faults: [lost(2), lost(3), lost(4)],
    });
    // One code every 30 seconds, so that the second doubt is sent again half a minute after the look.
    const lane = openLane(service.url, { policy: UNIQUE, clock, otpSingleUse: true });
    await lane.approve(3);
    await lane.pay();
    await clock.sleep(25_000);
    await lane.approve(1, () => ({ reference: "LATE" }));
    await lane.pay();
    const [, , third, late] = (await lane.submissions()).map(({ endedMonotonicMs = 0 }) => endedMonotonicMs);
    await clock.sleep(Number(third) + SETTLE_MS + 1000 - clock.monotonicMs());
    await lane.pay();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(Number(late) + SETTLE_MS);
    expect(await lane.standings()).toEqual([
      "PAY-1 accepted",
      "PAY-2 accepted",
      "PAY-3 accepted",
      "LATE in doubt",
    ]);
    expect(await lane.lastLook("LATE")).toContain("1 min of the settle window are left");
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-2", "PAY-3", "LATE"]);
  });

  test.each([
    ["unique", UNIQUE],
    ["increasing", INCREASING],
  ])("never goes out again once a person has given it up, under %s", async (_rule, policy) => {
    const { clock, service, lane } = await doubted(policy);
    await abandonByPerson(lane.tools, { reference: "PAY-2", person: "tess", reason: "paid by hand" });
    await clock.sleep(SETTLE_MS + 1000);
    expect(await lane.pay()).toMatchObject({ inDoubt: 0, resolutions: [] });
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 abandoned"]);
    expect(creationArrivals(service)).toBe(2);
    // It does not prevent an exchange of the key.
    const exchanged = openLane(service.url, {
      policy: { ...policy, keyId: "key-2" },
      clock,
      path: lane.path,
    });
    expect(await exchanged.pay()).toMatchObject({ due: 0 });
  });

  test("stays in doubt under `increasing` if a deposit took a higher nonce since", async () => {
    const { clock, service, lane } = await doubted(INCREASING);
    const at = clock.now();
    await lane.store.write(function* (): Transaction<void> {
      const nonce = yield* allocateNonce("key-1", at, 0n);
      const sent = {
        keyId: "key-1",
        nonce,
        operation: "createDeposit",
        baseUrl: service.url,
        intendedAt: at,
      };
      const change = yield* insertChange({ ...sent, subject: "DEP-1", correlation: "", person: "alice" });
      yield* recordChangeOutcome(change, { kind: "accepted", evidence: "answered 202" }, at);
    });
    await clock.sleep(SETTLE_MS + 1000);
    await lane.pay();
    expect(await lane.lastLook("PAY-2")).toContain("a higher nonce has been used since");
    expect(creationArrivals(service)).toBe(2);
  });

  test("stays in doubt if the answer has another payment's payoutId; the run goes on", async () => {
    const clock = virtualClock();
    let asked = 0;
    const service = await startOddService(
      ({ path, body, honest, answer, response }) => {
        const isSweep = path === FIND && !body.includes("PAY-");
        const shown = { results: { content: [STRANGER], totalPages: 1, totalElements: 1 } };
        if (isSweep) answer(200, JSON.stringify(shown));
        else if (path === CREATE && body.includes("PAY-2")) {
          asked += 1;
          if (asked === 1) response.destroy();
          else if (honest().statusCode === 202) answer(202, JSON.stringify(STRANGER));
        } else return false;
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { policy: UNIQUE, clock });
    await sweep(lane.tools, PAYOUTS);
    await lane.approve(2);
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    expect(await lane.pay()).toMatchObject({
      resolutions: [{ now: "in doubt", reason: expect.stringContaining("which it had shown as EXT-1") }],
    });
    expect(await lane.pay()).toMatchObject({ resolutions: [{ now: "accepted" }] });
    expect(asked).toBe(2);
    expect(service.creations()).toEqual(["PAY-1", "PAY-2"]);
  });

  test("is not re-sent if a sweep has shown its payout, though a look by its reference does not", async () => {
    const clock = virtualClock();
    const service = await startOddService(
      ({ path, body, honest, answer, response }) => {
        if (path === CREATE && body.includes("PAY-2")) {
          honest();
          response.destroy();
          return true;
        }
        if (path !== FIND || !body.includes("PAY-2")) return false;
        const { results } = JSON.parse(honest().body);
        const content = results.content.filter(
          ({ reference }: { reference: string }) => reference !== "PAY-2",
        );
        answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: content.length } }));
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { policy: UNIQUE, clock });
    await lane.approve(2);
    await lane.pay();
    await sweep(lane.tools, PAYOUTS);
    await clock.sleep(2 * SETTLE_MS);
    expect(await lane.pay()).toMatchObject({ resolutions: [{ now: "accepted" }] });
    expect(service.arrivals.filter((path) => path === CREATE)).toHaveLength(2);
  });

  test("is never re-sent automatically if the nonce rule is unknown", async () => {
    const { clock, service, lane } = await doubted({ nonceRule: "unknown" });
    for (let day = 0; day < 3; day += 1) {
      await clock.sleep(DAY_MS);
      await lane.pay();
    }
    expect(creationArrivals(service)).toBe(2);
    expect(await lane.lastLook("PAY-2")).toContain("nonce.rule: unknown");
  });

  test.each<[string, Partial<ExecutionPolicy>, string]>([
    ["nobody said how long nonces are remembered", { nonceRule: "unique" }, "nonce.memoryDays"],
    ["its nonce may be forgotten", { nonceRule: "unique", nonceMemoryMs: 60_000 }, "may have forgotten"],
    ["a person ordered a stop", { ...UNIQUE, stopOrder: () => undefined }, ""],
    ["its approval has ended", { ...UNIQUE, whyNotReleased: until("2026-11-20T10:00:00.000Z") }, "approval"],
  ])("is not sent again where %s", async (_why, policy, words) => {
    let stop: string | undefined;
    const { clock, service, lane } = await doubted(
      words === "" ? { ...policy, stopOrder: () => stop } : policy,
    );
    stop = "stopped by ann: fire";
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(2);
    expect(await lane.lastLook("PAY-2")).toContain(words === "" ? "stopped by ann: fire" : words);
  });

  test("is not re-sent once its nonce may be forgotten by the monotonic clock, though the wall clock went back", async () => {
    const { clock, service, lane } = await doubted({ ...UNIQUE, nonceMemoryMs: DAY_MS });
    await clock.sleep(26 * HOUR_MS);
    clock.moveWall(-20 * HOUR_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(2);
    expect(await lane.lastLook("PAY-2")).toContain("may have forgotten");
  });

  test("is not re-sent while its last send is in the future", async () => {
    const faults = [lost(2), lost(3)];
    const { clock, service, lane } = await doubted({ ...UNIQUE, nonceMemoryMs: DAY_MS }, { faults });
    await clock.sleep(20 * HOUR_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(3);
    await clock.sleep(20 * HOUR_MS);
    clock.moveWall(-30 * HOUR_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(3);
    expect(await lane.lastLook("PAY-2")).toContain("may have forgotten");
  });

  test("is not re-sent if nonces must rise and a higher one has left", async () => {
    const { clock, service, lane } = await doubted(UNIQUE);
    await lane.approve(1, () => ({ reference: "PAY-3" }));
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    await openLane(service.url, { path: lane.path, clock, policy: INCREASING }).pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-3"]);
    expect(creationArrivals(service)).toBe(3);
    expect(await lane.lastLook("PAY-2")).toContain("a higher nonce has been used since");
  });

  test("is not re-sent while its first send is in the future, whatever has left since", async () => {
    const { clock, service, lane } = await doubted(UNIQUE);
    clock.moveWall(-3 * HOUR_MS);
    await lane.approve(1, () => ({ reference: "PAY-3" }));
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-3"]);
    expect(await lane.lastLook("PAY-2")).toContain("may have forgotten");
  });

  test.each<[string, Creation]>([
    ["by another operation", { operation: "createPayout", authorize: false }],
    ["with another flag", { operation: "createPayoutWithFirstAuthorization", authorize: true }],
  ])("is not sent again %s, because that would not be the same request", async (_what, changed) => {
    const operation = "createPayoutWithFirstAuthorization";
    const creationOf = () => ({ operation, authorize: false }) as const;
    const faults = [{ ...lost(2), operation }];
    const routes: Routes = { [operation]: { method: "POST", path: "/pathless/payouts/create" } };
    const { clock, service, lane } = await doubted({ ...UNIQUE, creationOf }, { faults }, routes);
    await clock.sleep(2 * SETTLE_MS);
    const policy = { ...UNIQUE, creationOf: () => changed };
    await openLane(service.url, { path: lane.path, clock, policy, routes }).pay();
    expect(createdAt(service)).toEqual(["PAY-1"]);
    expect(service.arrivals().filter((one) => one.operation?.startsWith("createPayout"))).toHaveLength(2);
    expect(await lane.lastLook("PAY-2")).toContain("would differ from the one that was sent before");
  });

  test("is not re-sent if no payout of the key was ever found", async () => {
    const clock = virtualClock();
    const service = await sandbox({ clock: () => Date.parse(clock.now()), faults: [lost(1)] });
    const lane = openLane(service.url, { policy: INCREASING, clock });
    await lane.approve(1);
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(1);
    expect(await lane.lastLook("PAY-1")).toContain("ever been found");
  });

  test("is not re-sent after a look that does not even show the witness", async () => {
    const clock = virtualClock();
    let forgets = false;
    const service = await startOddService(
      ({ path, body, response, answer }) => {
        if (path === CREATE && body.includes("PAY-2")) response.destroy();
        else if (path === FIND && forgets) answer(200, EMPTY_PAGE);
        else return false;
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { policy: UNIQUE, clock });
    await lane.approve(2);
    await lane.pay();
    forgets = true;
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(service.arrivals.filter((path) => path === CREATE)).toHaveLength(2);
    expect(await lane.lastLook("PAY-2")).toContain("incomplete");
    forgets = false;
    await lane.pay();
    expect(service.arrivals.filter((path) => path === CREATE)).toHaveLength(3);
  });

  test("is not re-sent if another payout took longer to show than a quarter of the window", async () => {
    const { clock, service, lane } = await doubted(UNIQUE, { visibilityLagMs: SETTLE_MS / 2 });
    await clock.sleep(SETTLE_MS / 3);
    await lane.pay(); // the accepted one is looked for, and not there
    await clock.sleep(SETTLE_MS);
    await lane.pay(); // now it is
    await clock.sleep(SETTLE_MS);
    await lane.pay();
    expect(creationArrivals(service)).toBe(2);
    expect(await lane.lastLook("PAY-2")).toContain("to show");
  });
});

describe("a second send is checked like a first one", () => {
  test("counts once against the day's limit on the day of the first send", async () => {
    const { clock, service, lane } = await doubted({ ...UNIQUE, limitPerDay: { BTC: Decimal.of("0.003") } });
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-2"]);
  });

  test("counts on its own day otherwise, and waits if that day's limit is used up", async () => {
    const policy = { ...UNIQUE, settleMs: 20 * 3_600_000, limitPerDay: { BTC: Decimal.of("0.003") } };
    const { clock, service, lane } = await doubted(policy);
    await clock.sleep(15 * 3_600_000); // the next day has begun
    await lane.approve(1, () => ({ reference: "PAY-3", amount: amountOf("0.002", "BTC") }));
    expect(await lane.pay()).toMatchObject({ accepted: 1 });
    await clock.sleep(6 * 3_600_000);
    await lane.pay();
    expect(creationArrivals(service)).toBe(3);
    expect(await lane.lastLook("PAY-2")).toContain("would exceed the limit of 0.003 per day");
    await clock.sleep(18 * 3_600_000);
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-3", "PAY-2"]);
    await lane.approve(1, () => ({ reference: "PAY-4", amount: amountOf("0.002", "BTC") }));
    expect(await lane.pay()).toMatchObject({ postponed: 1, problems: [{ code: "DAY_LIMIT_REACHED" }] });
  });

  test.each([1, 2, 3])(
    "does not leave if its approval has ended at check %i before its intent is on disk",
    async (nth) => {
      const { clock, service, lane } = await doubted(UNIQUE);
      await clock.sleep(2 * SETTLE_MS);
      let asked = 0;
      function* whyNotReleased(...[instruction, call, at]: Parameters<ExecutionPolicy["whyNotReleased"]>) {
        asked += 1;
        return asked < nth ? undefined : yield* until(clock.now())(instruction, call, at);
      }
      const ending = openLane(service.url, { path: lane.path, clock, policy: { ...UNIQUE, whyNotReleased } });
      if (nth === 3)
        await expect(ending.pay()).rejects.toMatchObject({ problem: { code: "APPROVAL_EXPIRED" } });
      else await ending.pay();
      expect(creationArrivals(service)).toBe(2);
      expect((await lane.submissions())[1]).toMatchObject({ sends: 1, outcome: "in doubt" });
    },
  );

  test("is prevented by a stop order while it waits for its code; the run reports what it did", async () => {
    const { clock, service, lane } = await doubted(UNIQUE);
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    let order: string | undefined;
    const sleep = (durationMs: number) => {
      if (durationMs > 1000) order = "stopped by ann: fire";
      return clock.sleep(durationMs);
    };
    const waiting = openLane(service.url, {
      path: lane.path,
      policy: { ...UNIQUE, stopOrder: () => order },
      clock: { ...clock, sleep },
      otpSingleUse: true,
    });
    waiting.tools.codes.usedAt(clock.now());
    expect(await waiting.pay()).toMatchObject({ resolutions: [{ now: "in doubt" }] });
    expect(creationArrivals(service)).toBe(2);
    expect(await lane.lastLook("PAY-2")).toContain("stopped by ann: fire");
  });

  test("does not leave later than its intent allows, and then is no send", async () => {
    const { clock, service, lane } = await doubted(UNIQUE);
    await clock.sleep(2 * SETTLE_MS);
    const slow = openLane(service.url, { path: lane.path, policy: UNIQUE, clock, ratePerSecond: 0.01 });
    await slow.pay();
    expect(creationArrivals(service)).toBe(2);
    expect((await lane.submissions())[1]).toMatchObject({ sends: 1, outcome: "in doubt" });
    expect(await lane.lastLook("PAY-2")).toContain("its time to be sent had passed");
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-2"]);
  });
});

describe("a request that arrives late", () => {
  test("after a re-send is refused by the service; the payout exists once", async () => {
    const clock = virtualClock();
    let late: (() => void) | undefined;
    const service = await startOddService(
      ({ path, body, honest, response }) => {
        if (path !== CREATE || !body.includes("PAY-2") || late !== undefined) return false;
        late = () => void honest();
        response.destroy();
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { policy: UNIQUE, clock });
    await lane.approve(2);
    await lane.pay();
    await clock.sleep(2 * SETTLE_MS);
    await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 accepted"]);
    late?.();
    expect(service.creations()).toEqual(["PAY-1", "PAY-2"]);
  });
});

describe("a second send that is not accepted", () => {
  test.each([400, 404, 409, 500])(
    "answered %i is no refusal, takes no new nonce, and ends after four sends",
    async (status) => {
      const answers = [2, 3, 4, 5, 6].map(
        (nth): FaultScript => ({
          operation: "createPayoutV2",
          nth,
          effect:
            nth === 2
              ? { kind: "cut-before-read" }
              : { kind: "answer", statusCode: status, body: errorBody("NO"), committed: false },
        }),
      );
      const { clock, service, lane } = await doubted(UNIQUE, { faults: answers });
      for (let round = 0; round < 6; round += 1) {
        await clock.sleep(SETTLE_MS + 1000);
        await lane.pay();
      }
      expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 in doubt"]);
      expect(creationArrivals(service)).toBe(5);
      expect(await lane.submissions()).toMatchObject([
        { attempt: 1 },
        { attempt: 1, sends: 4, evidence: expect.stringMatching(`^sent again at .*: answered ${status}`) },
      ]);
    },
  );
});

describe("a payout that a person sends again", () => {
  const decision = { reference: "PAY-2", person: "tess", reason: "asked the operator" };

  test("leaves with a fresh code, even in the time step of the last payout's code", async () => {
    const clock = virtualClock();
    const timed = { clock: () => Date.parse(clock.now()) };
    const service = await sandbox({ ...timed, faults: [lost(2)], otpSingleUse: true });
    const lane = openLane(service.url, { clock, otpSingleUse: true });
    await lane.approve(2);
    await lane.pay();
    await lane.approve(1, () => ({ reference: "PAY-3" }));
    await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 in doubt", "PAY-3 accepted"]);
    const later = openLane(service.url, { clock, otpSingleUse: true, path: lane.path });
    expect(await resendByPerson(later.tools, decision)).toMatchObject({ kind: "accepted" });
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-3", "PAY-2"]);
  });

  test("does not leave after the command is stopped, even during its look", async () => {
    const clock = virtualClock();
    const stop = new AbortController();
    let isDecided = false;
    let creations = 0;
    const service = await startOddService(
      ({ path, body, response }) => {
        if (path === FIND && isDecided) stop.abort();
        if (path !== CREATE) return false;
        creations += 1;
        if (!body.includes("PAY-2") || isDecided) return false;
        response.destroy();
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const lane = openLane(service.url, { policy: UNIQUE, clock });
    await lane.approve(2);
    await lane.pay();
    isDecided = true;
    expect(await resendByPerson(lane.tools, decision, stop.signal)).toMatchObject({
      kind: "in doubt",
      evidence: expect.stringContaining("not sent again"),
    });
    expect(creations).toBe(2);
    expect(service.creations()).toEqual(["PAY-1"]);
  });
});
