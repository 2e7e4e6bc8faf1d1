/**
 * The four outcomes of a submission. Without proof it is in doubt, and a payment in doubt is never sent again
 * automatically.
 */
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { EXIT, exitCodeOfRun } from "../../src/cli/exit-code.ts";
import { payText } from "../../src/cli/render/pay-text.ts";
import { Decimal } from "../../src/money/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { listLooks } from "../../src/store/looks.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { CREATE, errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { createdAt, creationArrivals, openLane, sandbox } from "./lane.ts";

const faultAt = (nth: number, effect: FaultEffect) => [{ operation: "createPayoutV2", nth, effect }];
const RULES = ["unknown", "unique", "increasing"] as const;

describe("accepted", () => {
  test.each(RULES)(
    "creates every payout once under nonce.rule %s; a second run sends nothing",
    async (nonceRule) => {
      const service = await sandbox();
      const lane = openLane(service.url, { policy: { nonceRule } });
      await lane.approve(7);
      expect(await lane.pay()).toMatchObject({ due: 7, accepted: 7, refused: 0, inDoubt: 0, problems: [] });
      expect(await lane.pay()).toMatchObject({ due: 0, accepted: 0 });
      expect(createdAt(service).sort()).toEqual([
        "PAY-1",
        "PAY-2",
        "PAY-3",
        "PAY-4",
        "PAY-5",
        "PAY-6",
        "PAY-7",
      ]);
      expect(creationArrivals(service)).toBe(7);
    },
  );

  test("the payout at the service has the amount of the file digit for digit, and our payoutId is its own", async () => {
    const service = await sandbox();
    const lane = openLane(service.url);
    const [instruction] = await lane.approve(1);
    await lane.pay();
    const [creation] = service.creations();
    expect(creation?.body).toContain('"requestedAmount":{"currency":"BTC","amount":0.001}');
    expect(creation?.body).toContain(`"callbackUrl":"https://pay.example.com/hook/${instruction?.id}"`);
    expect((await lane.submissions())[0]?.nonce).toBe(creation?.nonce);
  });
});

describe("in doubt", () => {
  test.each(RULES)(
    "finds a payout whose answer was lost, and does not make it twice, under %s",
    async (nonceRule) => {
      const service = await sandbox({ faults: faultAt(1, { kind: "cut-after-commit" }) });
      const lane = openLane(service.url, { policy: { nonceRule } });
      await lane.approve(1);
      expect(await lane.pay()).toMatchObject({
        inDoubt: 0,
        accepted: 1,
        doubtedOnTheWay: 1,
        resolutions: [{ now: "accepted" }],
      });
      await lane.pay();
      expect(await lane.standings()).toEqual(["PAY-1 accepted"]);
      expect(createdAt(service)).toEqual(["PAY-1"]);
      expect(creationArrivals(service)).toBe(1);
    },
  );

  test.each(RULES)(
    "keeps a payout whose request was lost in doubt, and does not send it again, under %s",
    async (nonceRule) => {
      const service = await sandbox({ faults: faultAt(1, { kind: "cut-before-read" }) });
      const lane = openLane(service.url, { policy: { nonceRule } });
      await lane.approve(1);
      for (let run = 0; run < 4; run += 1) await lane.pay();
      expect(await lane.standings()).toEqual(["PAY-1 in doubt"]);
      const [submission] = await lane.submissions();
      expect(submission?.evidence).toMatch(/^no answer: [^;]*$/);
      expect(await lane.store.read(() => listLooks(submission?.id ?? 0))).toMatchObject([
        {
          saw: expect.stringMatching(/^not found, which proves nothing yet: /),
          notSent: expect.any(String),
          times: 4,
        },
      ]);
      expect(creationArrivals(service)).toBe(1);
    },
  );

  test("finds a payout that is shown later", async () => {
    const lagMs = 3_600_000;
    const service = await sandbox({
      faults: faultAt(1, { kind: "cut-after-commit" }),
      visibilityLagMs: lagMs,
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ resolutions: [{ now: "in doubt" }] });
    service.operator.passTime(lagMs);
    expect(await lane.pay()).toMatchObject({ resolutions: [{ now: "accepted" }] });
    expect(await lane.standings()).toEqual(["PAY-1 accepted"]);
    expect(creationArrivals(service)).toBe(1);
  });

  test.each<[string, FaultEffect]>([
    ["an answer that breaks off", { kind: "half-body" }],
    ["an answer that comes too late", { kind: "delay", delayMs: 2000, when: "after-commit" }],
    [
      "a failure after the payout was made",
      { kind: "answer", statusCode: 500, body: errorBody("FAILED"), committed: true },
    ],
    [
      "a gateway's HTML",
      { kind: "answer", statusCode: 502, body: "<html>bad gateway</html>", committed: true },
    ],
    [
      "400 in HTML, from who knows whom",
      { kind: "answer", statusCode: 400, body: "<html>no</html>", committed: true },
    ],
    ["404 without a body", { kind: "answer", statusCode: 404, body: "", committed: true }],
    ["202 that cannot be read", { kind: "answer", statusCode: 202, body: '{"payoutId":', committed: true }],
    [
      "200 instead of 202",
      {
        kind: "answer",
        statusCode: 200,
        body: '{"payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}',
        committed: true,
      },
    ],
    ["a redirect", { kind: "answer", statusCode: 302, body: "", committed: true }],
    [
      "a conflict, although the payout was made",
      { kind: "answer", statusCode: 409, body: errorBody("CONFLICT_NONCE"), committed: true },
    ],
    [
      "a refusal that names a payout",
      {
        kind: "answer",
        statusCode: 400,
        body: '[{"error":"duplicate","payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}]',
        committed: true,
      },
    ],
    [
      "a refusal that says nothing, from who knows whom",
      { kind: "answer", statusCode: 404, body: '[{"message":"no route"}]', committed: true },
    ],
    [
      "the payoutId that stands for none",
      {
        kind: "answer",
        statusCode: 202,
        body: '{"payoutId":"00000000-0000-0000-0000-000000000000"}',
        committed: true,
      },
    ],
    ["401", { kind: "answer", statusCode: 401, body: errorBody("KEY"), committed: true }],
    ["403", { kind: "answer", statusCode: 403, body: errorBody("KEY"), committed: true }],
    ["405", { kind: "answer", statusCode: 405, body: errorBody("METHOD"), committed: true }],
    ["413", { kind: "answer", statusCode: 413, body: errorBody("LARGE"), committed: true }],
    ["429", { kind: "answer", statusCode: 429, body: errorBody("SLOW_DOWN"), committed: true }],
  ])("%s is no outcome: the payout is looked for and found, and sent once", async (_what, effect) => {
    const service = await sandbox({ faults: faultAt(1, effect) });
    const lane = openLane(service.url, { timeoutMs: effect.kind === "delay" ? 500 : 5000 });
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({
      inDoubt: 0,
      accepted: 1,
      refused: 0,
      resolutions: [{ now: "accepted" }],
    });
    await lane.pay();
    expect(creationArrivals(service)).toBe(1);
  });

  test("does not believe an answer with another payment's payoutId", async () => {
    let firstAnswer = "";
    const service = await startOddService(({ path, honest, answer }) => {
      if (path !== CREATE) return false;
      const { statusCode, body } = honest();
      firstAnswer ||= body;
      answer(statusCode, firstAnswer);
      return true;
    });
    const lane = openLane(service.url);
    await lane.approve(2);
    const { resolutions } = await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 accepted"]);
    expect(resolutions).toMatchObject([{ now: "accepted", instruction: { fields: { reference: "PAY-2" } } }]);
    expect(service.creations()).toEqual(["PAY-1", "PAY-2"]);
  });

  test("keeps the report if the service goes out before the doubt can be looked up", async () => {
    let isOut = false;
    let creations = 0;
    const service = await startOddService(({ path, honest, response }) => {
      if (path === CREATE) creations += 1;
      if (!isOut && creations < 3) return false;
      if (!isOut) honest();
      isOut = true;
      response.destroy();
      return true;
    });
    const lane = openLane(service.url, { clock: virtualClock(new Date().toISOString()) });
    await lane.approve(5);
    expect(await lane.pay()).toMatchObject({
      accepted: 2,
      inDoubt: 3,
      resolutions: [],
      stopped: { code: "SERVICE_OUT" },
    });
    isOut = false;
    creations = -99;
    await lane.pay();
    expect(await lane.standings()).toEqual([
      "PAY-1 accepted",
      "PAY-2 accepted",
      "PAY-3 accepted",
      "PAY-4 in doubt",
      "PAY-5 in doubt",
    ]);
    expect(service.creations()).toEqual(["PAY-1", "PAY-2", "PAY-3"]);
  });
});

describe("refused", () => {
  test.each([
    [400, { callbackUrl: "ftp://pay.example.com" }],
    [404, { username: "nobody" }],
  ])("a %i with the interface's reasons is final, and says them", async (status, changes) => {
    const service = await sandbox();
    const lane = openLane(service.url);
    await lane.approve(3, (row) => (row === 2 ? changes : {}));
    const report = await lane.pay();
    expect(report).toMatchObject({
      accepted: 2,
      refused: 1,
      problems: [
        { code: "PAYOUT_REFUSED", reference: "PAY-2", message: expect.stringContaining(`${status}`) },
      ],
    });
    await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 refused", "PAY-3 accepted"]);
    expect(creationArrivals(service)).toBe(3);
  });

  const untrue = { kind: "answer", statusCode: 400, body: errorBody("NO", "no"), committed: true } as const;

  test("finds and holds at once a payout that the service made despite its refusal", async () => {
    const service = await sandbox({ faults: faultAt(2, untrue) });
    const lane = openLane(service.url);
    await lane.approve(3);
    expect(await lane.pay()).toMatchObject({
      accepted: 2,
      refused: 0,
      held: 1,
      problems: [{ code: "PAYOUT_HELD", reference: "PAY-2" }],
    });
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 held", "PAY-3 accepted"]);
    await lane.pay();
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-2", "PAY-3"]);
  });

  test("is believed if the service cannot be asked", async () => {
    const unanswerable = {
      kind: "answer",
      statusCode: 409,
      body: errorBody("NO", "no"),
      committed: false,
    } as const;
    const noLook = { operation: "findPayoutFilteredV2", nth: 2, effect: unanswerable } as const;
    const service = await sandbox({ faults: [...faultAt(1, untrue), noLook] });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ refused: 1, held: 0, problems: [{ code: "PAYOUT_REFUSED" }] });
  });
});

describe("not sent", () => {
  test.each(RULES)(
    "sends what could not leave once, with its own nonce, after an outage under %s; it counts once",
    async (nonceRule) => {
      let closing = true;
      const service = await startOddService(({ path, honest, answer }) => {
        if (!closing || path !== FIND) return false;
        service.stop();
        answer(200, honest().body, { connection: "close" });
        return true;
      });
      const limitPerDay = { BTC: Decimal.of("0.003") };
      const lane = openLane(service.url, { policy: { nonceRule, limitPerDay } });
      await lane.approve(2);
      expect(await lane.pay()).toMatchObject({ notSent: 1, accepted: 0, stopped: { code: "SERVICE_OUT" } });
      expect(await lane.standings()).toEqual(["PAY-1 approved", "PAY-2 approved"]);
      const [unsent] = await lane.submissions();
      expect(unsent).toMatchObject({
        attempt: 1,
        outcome: "not sent",
        evidence: expect.stringContaining("ECONNREFUSED"),
      });

      closing = false;
      await service.start();
      expect(await lane.pay()).toMatchObject({ accepted: 2 });
      expect((await lane.submissions())[0]).toMatchObject({
        attempt: 2,
        outcome: "accepted",
        nonce: unsent?.nonce,
      });
      expect(service.creations()).toEqual(["PAY-1", "PAY-2"]);
    },
  );

  test("does not believe a refusal of a second send of a nonce", async () => {
    let life: "closing" | "refusing" = "closing";
    const service = await startOddService(({ path, honest, answer }) => {
      if (path === CREATE) return void answer(400, errorBody("CONFLICT"));
      if (life !== "closing") return false;
      service.stop();
      return void answer(200, honest().body, { connection: "close" });
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ notSent: 1 });
    life = "refusing";
    await service.start();
    expect(await lane.pay()).toMatchObject({ refused: 0, inDoubt: 1 });
    expect(await lane.standings()).toEqual(["PAY-1 in doubt"]);
  });

  test("stores nothing if the service cannot be asked", async () => {
    const lane = openLane("http://payments.invalid", { clock: virtualClock() });
    await lane.approve(1);
    await expect(lane.pay()).rejects.toMatchObject({ problem: { code: "SERVICE_UNREACHABLE" } });
    expect(await lane.standings()).toEqual(["PAY-1 approved"]);
    expect(await lane.submissions()).toEqual([]);
  });
});

test.each([
  ["cut-before-read", "in doubt"],
  ["cut-after-commit", "accepted"],
] as const)(
  "a doubt of an earlier run (%s) is told once, also where a new one is looked for after it",
  async (kind, now) => {
    const service = await sandbox({
      faults: [...faultAt(1, { kind }), ...faultAt(2, { kind: "cut-before-read" })],
    });
    const lane = openLane(service.url);
    await lane.approve(2);
    const stop = new AbortController();
    await lane.pay({ signal: stop.signal, onSubmitted: () => stop.abort() });
    const { resolutions } = await lane.pay();
    expect(resolutions.map((one) => [one.instruction.fields.reference, one.now])).toEqual([
      ["PAY-1", now],
      ["PAY-2", "in doubt"],
    ]);
  },
);

test("a run's figures are those after its last look, and count the doubts on the way", async () => {
  const faults = [1, 2, 3].map((nth) => ({
    operation: "createPayoutV2",
    nth,
    effect: nth === 3 ? ({ kind: "cut-before-read" } as const) : ({ kind: "cut-after-commit" } as const),
  }));
  const service = await sandbox({ faults });
  const lane = openLane(service.url);
  await lane.approve(5);
  const report = await lane.pay(); // three without an answer in a row end it
  expect(report).toMatchObject({ due: 5, accepted: 2, inDoubt: 1, doubtedOnTheWay: 3 });
  expect(payText(report, pc.createColors(false))).toMatch(
    /^5 due: 2 accepted, 1 in doubt, 2 not sent\n {2}3 of them were in doubt on the way, 1 still is\n/,
  );
  expect(exitCodeOfRun(report)).toBe(EXIT.personNeeded);
  expect(await lane.pay()).toMatchObject({ due: 2, accepted: 2, inDoubt: 0, doubtedOnTheWay: 0 });
});
