/**
 * Doubts of earlier runs: looked up, never sent again, and left to a person if the payout differs from the request.
 */
import { describe, expect, test } from "vitest";
import { type Instruction, payoutId } from "../../src/model/index.ts";
import { PAYOUTS, sweep } from "../../src/observation/index.ts";
import { resolveDoubts } from "../../src/payments/sending/doubts/doubt.ts";
import { findByPayoutIds, moveInstruction } from "../../src/store/instructions.ts";
import { allocateNonce } from "../../src/store/nonces.ts";
import type { Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { CREATE, FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { insertIntent, TREASURY, tamper } from "../store/stored-batch.ts";
import { createdAt, creationArrivals, type Lane, openLane, sandbox } from "./lane.ts";

const LOST = [{ operation: "createPayoutV2", nth: 1, effect: { kind: "cut-after-commit" } as const }];

/** The state that a process leaves if it dies between intent and answer. */
async function dieAfterIntent(lane: Lane, { id }: Instruction, baseUrl: string): Promise<void> {
  const at = new Date().toISOString();
  await lane.store.write(function* (): Transaction<void> {
    const nonce = yield* allocateNonce("key-1", at, 0n);
    const bodyHash = "0".repeat(64);
    const operation = "createPayoutV2";
    yield* insertIntent({
      instructionId: id,
      attempt: 1,
      keyId: "key-1",
      nonce,
      operation,
      baseUrl,
      bodyHash,
      intendedAt: at,
    });
    yield* moveInstruction(id, { to: "sending", at });
  });
}

test("holds a payout that another lane gets between look and outcome; the run goes on", async () => {
  const service = await sandbox({ faults: LOST });
  const lane = openLane(service.url);
  await lane.approve(2);
  const stop = new AbortController();
  await lane.pay({ signal: stop.signal, onSubmitted: () => stop.abort() });
  const [created] = service.creations();
  let writes = 0;
  const read: Store["read"] = (transaction) => lane.store.read(transaction);
  const write: Store["write"] = async (transaction) => {
    writes += 1;
    // The first write stores the result of the look, the second the outcome.
    if (writes === 2)
      await tamper(lane.store, `update instruction set payout_id = '${created?.payoutId}' where row = 2`);
    return lane.store.write(transaction);
  };
  const tools = { ...lane.tools, store: { ...lane.store, read, write } };
  const resolutions = await resolveDoubts(tools, { mayStillSend: () => true, signal: undefined });
  expect(resolutions).toMatchObject([{ now: "held", reason: expect.stringContaining("belongs to PAY-2") }]);
});

test("leaves submissions of another lane alone", async () => {
  const clock = virtualClock();
  const arrived = Promise.withResolvers<() => void>();
  const service = await startOddService(
    ({ path, honest, answer }) => {
      if (path !== CREATE) return false;
      const { statusCode, body } = honest();
      arrived.resolve(() => answer(statusCode, body));
      return true;
    },
    { clock: () => Date.parse(clock.now()) },
  );
  const lane = openLane(service.url, { clock });
  await lane.approve(1);
  const paying = lane.pay();
  const letGo = await arrived.promise;
  const elsewhere = { keyIds: ["key-1"], custodyAccounts: [TREASURY] };
  const other = openLane(service.url, { clock, path: lane.path, policy: { keyId: "key-2", elsewhere } });
  expect(await other.pay()).toMatchObject({ due: 0, inDoubt: 0, resolutions: [] });
  expect(await lane.standings()).toEqual(["PAY-1 sending"]);
  letGo();
  expect(await paying).toMatchObject({ accepted: 1 });
  expect(service.creations()).toEqual(["PAY-1"]);
});

describe("after a death between intent and answer", () => {
  test.each(["unknown", "unique", "increasing"] as const)(
    "keeps a payout that was not made in doubt, and does not send it again under %s",
    async (nonceRule) => {
      const service = await sandbox();
      const lane = openLane(service.url, { policy: { nonceRule } });
      const [first] = await lane.approve(1);
      if (first !== undefined) await dieAfterIntent(lane, first, service.url);
      for (let run = 0; run < 3; run += 1) expect(await lane.pay()).toMatchObject({ due: 0 });
      expect(await lane.standings()).toEqual(["PAY-1 in doubt"]);
      expect(creationArrivals(service)).toBe(0);
    },
  );

  test("finds a payout that was made, and makes it once", async () => {
    const service = await sandbox();
    const lane = openLane(service.url);
    await lane.approve(3);
    await lane.pay();
    await forgetAnswers(lane);
    expect(await lane.standings()).toEqual(["PAY-1 sending", "PAY-2 sending", "PAY-3 sending"]);
    await lane.approve(1, () => ({ reference: "PAY-4" }));
    expect(await lane.pay()).toMatchObject({
      due: 1,
      accepted: 1,
      resolutions: Array(3).fill({ now: "accepted" }),
    });
    expect(createdAt(service)).toEqual(["PAY-1", "PAY-2", "PAY-3", "PAY-4"]);
  });

  test("neither looks nor sends at another service", async () => {
    const [service, other] = [await sandbox({ faults: LOST, visibilityLagMs: 60_000 }), await sandbox()];
    const lane = openLane(service.url);
    await lane.approve(1);
    await lane.pay();
    const moved = openLane(other.url, { path: lane.path });
    await moved.approve(1, () => ({ reference: "PAY-2" }));
    await expect(moved.pay()).rejects.toMatchObject({
      problem: { code: "IDENTITY_CHANGED", key: "service.baseUrl" },
    });
    expect(other.arrivals()).toEqual([]);
  });

  test("sends nothing with another key", async () => {
    const service = await sandbox({ faults: LOST, visibilityLagMs: 60_000 });
    const lane = openLane(service.url);
    await lane.approve(1);
    await lane.pay();
    const rekeyed = openLane(service.url, { path: lane.path, policy: { keyId: "key-2" } });
    await expect(rekeyed.pay()).rejects.toMatchObject({
      problem: { code: "IDENTITY_CHANGED", key: "PAYDROP_KEY" },
    });
  });

  test("sends nothing with another key while a killed process's submission has no outcome", async () => {
    const service = await sandbox();
    const lane = openLane(service.url);
    await lane.approve(1);
    await lane.pay();
    await forgetAnswers(lane);
    const rekeyed = openLane(service.url, { path: lane.path, policy: { keyId: "key-2" } });
    await rekeyed.approve(1, () => ({ reference: "PAY-2" }));
    await expect(rekeyed.pay()).rejects.toMatchObject({
      problem: { code: "IDENTITY_CHANGED", key: "PAYDROP_KEY" },
    });
    expect(createdAt(service)).toEqual(["PAY-1"]);
  });
});

/** Resets the database to the time when every request had left and no answer was stored. */
async function forgetAnswers({ store }: Lane): Promise<void> {
  await tamper(
    store,
    "update submission set outcome = null, ended_at = null, http_status = null, evidence = null, payout_id = null",
  );
  await tamper(store, "update instruction set standing = 'sending', payout_id = null");
}

/** A service that loses the answer to every creation and alters its look-up answers by `tell`. */
function forgetful(tell: (body: string) => string) {
  return startOddService(({ path, honest, response, answer }) => {
    const { statusCode, body } = honest();
    if (path === CREATE) response.destroy();
    else answer(statusCode, tell(body));
    return true;
  });
}

describe("holds a payment if the payout found differs from the request", () => {
  test.each([
    [
      "another amount",
      /"requestedAmount":\{"currency":"BTC","amount":0\.001\}/,
      '"requestedAmount":{"currency":"BTC","amount":0.0010001}',
      "amount",
    ],
    ["another currency", /"currency":"BTC","amount":0\.001/, '"currency":"LTC","amount":0.001', "amount"],
    [
      "another address",
      /bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4/g,
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      "destination address",
    ],
    [
      "another custody account",
      /"accountId":"6f1cbb7e-0000-4000-8000-000000000001"/,
      '"accountId":"6f1cbb7e-0000-4000-8000-000000000002"',
      "custody account",
    ],
    [
      "another callbackUrl",
      /"callbackUrl":"[^"]*"/,
      '"callbackUrl":"https://pay.example.com/hook/another"',
      "callbackUrl",
    ],
    [
      "an older date",
      /"createdDate":"2[^"]*"/,
      '"createdDate":"2020-01-01T00:00:00.000Z"',
      "before the request",
    ],
  ])("%s", async (_what, good, bad, reason) => {
    const service = await forgetful((body) => body.replace(good, bad));
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({
      inDoubt: 0,
      held: 1,
      resolutions: [{ now: "held", reason: expect.stringContaining(reason) }],
    });
    expect(await lane.pay()).toMatchObject({ resolutions: [] });
    expect(await lane.standings()).toEqual(["PAY-1 held"]);
    expect(service.creations()).toEqual(["PAY-1"]);
  });

  test("but not for a creation date within the clocks' difference", async () => {
    const before = new Date(Date.now() - 30_000).toISOString();
    const service = await forgetful((body) =>
      body.replace(/"createdDate":"2[^"]*"/, `"createdDate":"${before}"`),
    );
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ accepted: 1, held: 0 });
  });

  test("because of two payouts for one request", async () => {
    const service = await forgetful((body) => {
      const answer = JSON.parse(body);
      const [only] = answer.results.content;
      if (only === undefined) return body;
      answer.results.content.push({ ...only, payoutId: "0d5d6e8a-0000-4000-8000-000000000002" });
      answer.results.totalElements = 2;
      return JSON.stringify(answer);
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({
      resolutions: [
        { now: "held", reason: expect.stringContaining("the service has 2 payouts under this reference") },
      ],
    });
    expect(await lane.standings()).toEqual(["PAY-1 held"]);
  });

  test("because the payout belongs to another payment", async () => {
    let firstId = "";
    const service = await startOddService(({ path, honest, response, answer }) => {
      const { statusCode, body } = honest();
      const isSecond = path === CREATE && firstId !== "";
      if (path === CREATE) firstId ||= JSON.parse(body).payoutId;
      if (isSecond) response.destroy();
      else answer(statusCode, body.replace(/"payoutId":"[^"]*"/, `"payoutId":"${firstId}"`));
      return true;
    });
    const lane = openLane(service.url);
    await lane.approve(2);
    const { resolutions } = await lane.pay();
    expect(resolutions).toMatchObject([{ now: "held", reason: expect.stringContaining("belongs to PAY-1") }]);
    expect(await lane.pay()).toMatchObject({ resolutions: [] });
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 held"]);
  });

  test("while it is held, another key or service is refused too", async () => {
    const service = await forgetful((body) => body.replace('"amount":0.001', '"amount":0.002'));
    const lane = openLane(service.url);
    await lane.approve(1);
    await lane.pay();
    const rekeyed = openLane(service.url, { path: lane.path, policy: { keyId: "key-2" } });
    await expect(rekeyed.pay()).rejects.toMatchObject({ problem: { code: "IDENTITY_CHANGED" } });
  });
});

describe("a look without a result changes nothing", () => {
  test("an incomplete look is recorded as such", async () => {
    const service = await startOddService(({ path, honest, response, answer }) => {
      const { statusCode, body } = honest();
      if (path === CREATE) response.destroy();
      else if (service.arrivals.includes(CREATE))
        answer(200, '{"results":{"content":[],"totalPages":1,"totalElements":1}}');
      else answer(statusCode, body);
      return true;
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({
      resolutions: [{ now: "in doubt", reason: expect.stringContaining("incomplete") }],
    });
    expect(await lane.standings()).toEqual(["PAY-1 in doubt"]);
  });

  test("a failed look proves no absence", async () => {
    let isOut = false;
    const service = await startOddService(({ path, honest, response }) => {
      if (path === CREATE) honest();
      if (path !== CREATE && !isOut) return false;
      isOut = true;
      response.destroy();
      return true;
    });
    const lane = openLane(service.url, { clock: virtualClock(new Date().toISOString()) });
    await lane.approve(1);
    await lane.pay();
    const [before] = await lane.submissions();
    await expect(lane.pay()).rejects.toMatchObject({ problem: { code: "SERVICE_UNREACHABLE" } });
    expect((await lane.submissions())[0]).toEqual(before);
    isOut = false;
    await lane.pay();
    expect(await lane.standings()).toEqual(["PAY-1 accepted"]);
  });
});

test("does not accept a payoutId that was shown as another payment's, but looks for the payout", async () => {
  const service = await startOddService(({ path, body, honest, answer }) => {
    const isSweep = path === FIND && !body.includes("PAY-1");
    const shown = { results: { content: [STRANGER], totalPages: 1, totalElements: 1 } };
    if (isSweep) answer(200, JSON.stringify(shown));
    if (path === CREATE && honest().statusCode === 202) answer(202, JSON.stringify(STRANGER));
    return isSweep || path === CREATE;
  });
  const lane = openLane(service.url);
  await sweep(lane.tools, PAYOUTS);
  await lane.approve(1);
  expect(await lane.pay()).toMatchObject({ accepted: 1, doubtedOnTheWay: 1, problems: [] });
  expect(await lane.store.read(() => findByPayoutIds([payoutId(STRANGER.payoutId)]))).toEqual([]);
});
