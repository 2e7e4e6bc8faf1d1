/** One run of the lane: which payments are sent, in which order, how many at once, and how a run ends early. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { custodyAccountId } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { reopenByPerson } from "../../src/payments/sending/index.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import type { Transaction } from "../../src/store/sql.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { CREATE, errorBody, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { drafts } from "../store/stored-batch.ts";
import { createdAt, creationArrivals, openLane, sandbox } from "./lane.ts";

/**
 * A service that is slow to answer creations and counts how many are open at once. With `together`, it answers none
 * after the first one before as many are open.
 */
async function slowService(
  options: SandboxOptions = {},
  { delayOf = () => 20, together = 1 }: { delayOf?: (nth: number) => number; together?: number } = {},
) {
  let open = 0;
  let openMax = 0;
  let arrived = 0;
  const wereTogether = Promise.withResolvers<void>();
  const service = await startOddService(({ path, honest, answer }) => {
    if (path !== CREATE) return false;
    open += 1;
    openMax = Math.max(openMax, open);
    arrived += 1;
    if (open >= together) wereTogether.resolve();
    void answerAfter(delayOf(arrived), arrived === 1 ? undefined : wereTogether.promise);
    return true;

    async function answerAfter(delayMs: number, others: Promise<void> | undefined): Promise<void> {
      await others;
      await sleep(delayMs);
      open -= 1;
      const { statusCode, body } = honest();
      answer(statusCode, body);
    }
  }, options);
  return { ...service, openMax: () => openMax };
}

describe("how many at once", () => {
  test.each(["unknown", "increasing"] as const)(
    "one, with rising nonces, under nonce.rule %s",
    async (nonceRule) => {
      const service = await slowService();
      const lane = openLane(service.url, { policy: { nonceRule, concurrency: 8 } });
      await lane.approve(6);
      await lane.pay();
      expect(service.openMax()).toBe(1);
      expect(service.creations()).toEqual(["PAY-1", "PAY-2", "PAY-3", "PAY-4", "PAY-5", "PAY-6"]);
      const nonces = (await lane.submissions()).map(({ nonce }) => nonce);
      expect(nonces).toEqual(nonces.toSorted((left, right) => (left < right ? -1 : 1)));
      expect(new Set(nonces).size).toBe(6);
    },
  );

  test("up to http.concurrency under nonce.rule unique, after a first one alone", async () => {
    const service = await slowService({}, { together: 4 });
    const lane = openLane(service.url, { policy: { nonceRule: "unique", concurrency: 4 } });
    await lane.approve(12);
    expect(await lane.pay()).toMatchObject({ accepted: 12 });
    expect(service.openMax()).toBe(4);
    expect(service.arrivals.indexOf(CREATE)).toBeLessThan(service.arrivals.lastIndexOf(CREATE));
    expect(new Set((await lane.submissions()).map(({ nonce }) => nonce)).size).toBe(12);
  });

  test("reports and keeps a payment of a removed custody account, and sends the others", async () => {
    const service = await sandbox();
    const gone = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002");
    const creation = { operation: "createPayoutV2", authorize: false } as const;
    const lane = openLane(service.url, {
      policy: { creationOf: (id) => (id === gone ? undefined : creation) },
    });
    await lane.approve(3, (row) => (row === 2 ? { custodyAccountId: gone } : {}));
    expect(await lane.pay()).toMatchObject({
      accepted: 2,
      postponed: 1,
      problems: [{ code: "CUSTODY_ACCOUNT_GONE", reference: "PAY-2" }],
    });
    expect(await lane.standings()).toContain("PAY-2 approved");
  });

  test("sends the first creation alone even if rows before it are postponed", async () => {
    const service = await slowService();
    const lane = openLane(service.url, { policy: { nonceRule: "unique" } });
    await lane.approve(6, (row) =>
      row < 3 ? { amount: amountOf("5000", "BTC") } : row === 3 ? { username: "nobody" } : {},
    );
    expect(await lane.pay()).toMatchObject({
      postponed: 2,
      refused: 1,
      stopped: { code: "FIRST_CREATION_REFUSED" },
    });
    expect(service.openMax()).toBe(1);
    expect(service.creations()).toEqual([]);
  });
});

describe("a service that must rise sees nonces in the order of their arrival", () => {
  test.each(["unknown", "increasing"] as const)("so that %s pays every row", async (nonceRule) => {
    const service = await sandbox({ nonce: { rule: "increasing" } });
    const lane = openLane(service.url, { policy: { nonceRule } });
    await lane.approve(9);
    expect(await lane.pay()).toMatchObject({ accepted: 9, inDoubt: 0 });
  });
});

describe("a service that accepts late nonces within a window", () => {
  const WINDOW = 5;
  const windowed = { nonceRule: "increasing", nonceWindow: WINDOW, concurrency: 8 } as const;

  test("gets as many at once as the window allows, with consecutive nonces", async () => {
    const service = await slowService({ nonce: { rule: "window", window: WINDOW } }, { together: WINDOW });
    const lane = openLane(service.url, { policy: windowed });
    await lane.approve(40);
    expect(await lane.pay()).toMatchObject({ accepted: 40, inDoubt: 0 });
    expect(service.openMax()).toBe(WINDOW);
    const nonces = (await lane.submissions()).map(({ nonce }) => nonce).toSorted((a, b) => (a < b ? -1 : 1));
    expect((nonces.at(-1) ?? 0n) - (nonces[0] ?? 0n)).toBe(39n);
  });

  test("gets nothing that is further ahead of a late creation", async () => {
    const delayOf = (nth: number) => (nth === 4 ? 300 : 5);
    const service = await slowService({ nonce: { rule: "window", window: WINDOW } }, { delayOf });
    const lane = openLane(service.url, { policy: windowed });
    await lane.approve(20);
    expect(await lane.pay()).toMatchObject({ accepted: 20, inDoubt: 0 });
  });
});

test("pays a file of several windows and look-up chunks in its order, each row once", async () => {
  const service = await sandbox();
  const lane = openLane(service.url);
  await lane.approveRows(drafts(230, () => ({ amount: amountOf("0.00001", "BTC") })));
  let due = 0;
  const submitted: string[] = [];
  await lane.pay({
    onStart: (count) => {
      due = count;
    },
    onSubmitted: ({ fields }) => submitted.push(fields.reference),
  });
  expect(due).toBe(230);
  expect(submitted).toEqual(createdAt(service));
  expect(submitted).toEqual(Array.from({ length: 230 }, (_, index) => `PAY-${index + 1}`));
});

describe("before anything is sent", () => {
  test("holds a payment whose reference the service already has, and sends the others", async () => {
    const service = await sandbox();
    await payElsewhere(service.url, 2);
    const lane = openLane(service.url);
    await lane.approve(3);
    const report = await lane.pay();
    expect(report).toMatchObject({
      accepted: 2,
      held: 1,
      problems: [{ code: "PAYOUT_HELD", reference: "PAY-2" }],
    });
    expect(await lane.standings()).toEqual(["PAY-1 accepted", "PAY-2 held", "PAY-3 accepted"]);
    expect(createdAt(service)).toEqual(["PAY-2", "PAY-1", "PAY-3"]);
    const onRecord = {
      action: "payout held",
      detail: { reason: expect.stringContaining("before anything was sent") },
    };
    expect(await lane.store.read(() => listAudit(["PAY-2"]))).toMatchObject([onRecord]);
    expect(await lane.pay()).toMatchObject({ due: 0, held: 0 });
  });

  test("sends nothing to a service that answers with other references than asked", async () => {
    const service = await startOddService(({ path, honest, answer }) => {
      if (path === CREATE) return false;
      const { statusCode, body } = honest();
      answer(statusCode, body.replaceAll('"reference":"PAY-', '"reference":"pay-'));
      return true;
    });
    await payElsewhere(service.url, 1);
    const lane = openLane(service.url);
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ accepted: 0, problems: [{ code: "LOOK_INCOMPLETE" }] });
    expect(await lane.standings()).toEqual(["PAY-1 approved"]);
    expect(service.creations()).toEqual(["PAY-1"]);
  });

  test("postpones a reference that the service confuses with others, and no other payment", async () => {
    const service = await startOddService(({ path, body, honest, answer }) => {
      if (path === CREATE || !body.includes('"PAY-2"')) return false;
      const { filters, results } = JSON.parse(honest().body);
      const content = [...results.content, STRANGER];
      const found = { ...results, content, totalElements: content.length, totalPages: 1 };
      return void answer(200, JSON.stringify({ filters, results: found }));
    });
    const lane = openLane(service.url);
    await lane.approve(3);
    expect(await lane.pay()).toMatchObject({
      accepted: 2,
      postponed: 1,
      problems: [
        {
          code: "LOOK_INCOMPLETE",
          reference: "PAY-2",
          message: expect.stringContaining('under "EXT-1", which was not asked for'),
          fix: expect.stringContaining("paydrop reject"),
        },
      ],
    });
    expect(service.creations()).toEqual(["PAY-1", "PAY-3"]);
  });

  test("asks for each reference separately if the echo shows fewer than asked", async () => {
    const service = await startOddService(({ path, honest, answer }) => {
      if (path === CREATE) return false;
      const { filters, results } = JSON.parse(honest().body);
      const references = filters.references?.slice(0, 2);
      const content = results.content.filter((payout: { reference: string }) =>
        references?.includes(payout.reference),
      );
      const found = { ...results, content, totalElements: content.length };
      answer(200, JSON.stringify({ filters: { ...filters, references }, results: found }));
      return true;
    });
    await payElsewhere(service.url, 3);
    const lane = openLane(service.url);
    await lane.approve(3);
    expect(await lane.pay()).toMatchObject({ accepted: 2, held: 1 });
    expect(service.creations()).toEqual(["PAY-3", "PAY-1", "PAY-2"]);
  });

  test("stops the run if the look stays incomplete", async () => {
    const service = await startOddService(({ path, answer }) => {
      if (path === CREATE) return false;
      answer(200, '{"results":{"content":[],"totalPages":1,"totalElements":1}}');
      return true;
    });
    const lane = openLane(service.url);
    await lane.approve(2);
    expect(await lane.pay()).toMatchObject({ accepted: 0, stopped: { code: "PAGING_UNSTABLE" } });
    expect(service.creations()).toEqual([]);
  });
});

/** Somebody else, or an earlier installation, has made a payout under the reference PAY-`row`. */
async function payElsewhere(url: string, row: number): Promise<void> {
  const other = openLane(url, { policy: { keyId: "elsewhere" } });
  await other.approveRows(drafts(row).slice(row - 1));
  await other.pay();
}

describe("a stop by signal", () => {
  test("sends nothing new, awaits what is in flight, and the next run continues", async () => {
    const service = await slowService();
    const lane = openLane(service.url, { policy: { nonceRule: "unique", concurrency: 3 } });
    await lane.approve(20);
    const stop = new AbortController();
    let submitted = 0;
    const report = await lane.pay({
      signal: stop.signal,
      onSubmitted: () => {
        submitted += 1;
        if (submitted === 4) stop.abort();
      },
    });
    expect(report.accepted).toBeLessThan(10);
    expect(report.accepted).toBe(service.creations().length);
    expect(report).toMatchObject({ inDoubt: 0 });
    expect(report.stopped).toBeUndefined();
    await lane.pay();
    expect(service.creations().toSorted()).toEqual(
      (await lane.standings()).map((line) => line.split(" ")[0]).toSorted(),
    );
  });

  test("gives unsent intents back, which does not count as an outage", async () => {
    const service = await sandbox();
    const lane = openLane(service.url, {
      policy: { nonceRule: "unique", concurrency: 4 },
      ratePerSecond: 10,
    });
    await lane.approve(6);
    const stop = new AbortController();
    const report = await lane.pay({ signal: stop.signal, onSubmitted: () => stop.abort() });
    expect(report.stopped).toBeUndefined();
    expect(report.notSent + report.accepted).toBeGreaterThan(0);
    expect(createdAt(service)).toHaveLength(report.accepted);
    await lane.pay();
    expect(creationArrivals(service)).toBe(6);
  });

  test("leaves an unsent payment its nonce, and a later refusal counts", async () => {
    let isPicky = false;
    const service = await startOddService(({ path, honest, answer }) => {
      if (path !== CREATE) return false;
      if (isPicky) answer(400, errorBody("BAD"));
      else
        setTimeout(() => {
          const { statusCode, body } = honest();
          answer(statusCode, body);
        }, 20);
      return true;
    });
    const lane = openLane(service.url, { policy: { nonceRule: "unique", concurrency: 4 } });
    await lane.approve(30);
    const stop = new AbortController();
    await lane.pay({ signal: stop.signal, onSubmitted: () => stop.abort() });
    const waiting = (await lane.submissions()).filter(({ outcome }) => outcome === "not sent");
    expect(waiting.length).toBeGreaterThan(0);
    expect(waiting.every(({ sends }) => sends === 0)).toBe(true);

    isPicky = true;
    expect(await lane.pay()).toMatchObject({ refused: 1, inDoubt: 0 });
    const refused = (await lane.submissions()).find(({ outcome }) => outcome === "refused");
    expect(refused).toMatchObject({ attempt: 2, nonce: waiting[0]?.nonce });
    const reopen = async () => {
      const row = (await lane.standings()).find((line) => line.endsWith("refused"));
      await reopenByPerson(lane.tools, [row?.split(" ")[0] ?? ""], { person: "ann", reason: "put right" });
    };
    await reopen();
    expect(await lane.pay()).toMatchObject({ refused: 1, inDoubt: 0 });

    isPicky = false;
    await reopen();
    expect(await lane.pay()).toMatchObject({ refused: 0, inDoubt: 0 });
    const submissions = await lane.submissions();
    for (const { instructionId, nonce } of waiting.slice(1))
      expect(submissions.find((one) => one.instructionId === instructionId)).toMatchObject({
        attempt: 2,
        nonce,
      });
    expect(service.creations().toSorted()).toEqual(
      (await lane.standings()).map((line) => line.split(" ")[0]).toSorted(),
    );
  });

  test("does not wait for the next one-time code", async () => {
    const service = await sandbox();
    const lane = openLane(service.url, { otpSingleUse: true });
    await lane.approve(3);
    const stop = new AbortController();
    const report = await lane.pay({
      signal: stop.signal,
      onSubmitted: () => setImmediate(() => stop.abort()),
    });
    expect(report).toMatchObject({ accepted: 1, due: 3 });
    expect(createdAt(service)).toEqual(["PAY-1"]);
  });
});

test("a fault of our own machine ends the run only after everything in flight has ended", async () => {
  const service = await slowService();
  const lane = openLane(service.url, {
    policy: { nonceRule: "unique", concurrency: 4, nonceFloor: 0n, whyNotReleased },
  });
  let asked = 0;
  function* whyNotReleased(): Transaction<undefined> {
    yield* [];
    asked += 1;
    // Called once for each payment of the window, and then at each intent.
    if (asked === 14) throw new Error("the disk is on fire");
    return undefined;
  }
  await lane.approve(10);
  await expect(lane.pay()).rejects.toThrow("the disk is on fire");
  const standings = await lane.standings();
  expect(standings.filter((line) => line.endsWith("sending"))).toEqual([]);
  expect(standings.filter((line) => line.endsWith("accepted"))).toHaveLength(service.creations().length);
});

describe("an intent whose turn comes late", () => {
  test.each([
    ["after its code was valid, leaves with a fresh one", "2026-11-20T09:30:29.000Z", 55_000],
    ["after the time in which it may leave, is intended anew", "2026-11-20T09:30:00.000Z", 61_000],
  ])("%s", async (_what, start, lateMs) => {
    const clock = virtualClock(start);
    const service = await startOddService(
      ({ path, body: asked, honest, answer }) => {
        if (path !== CREATE || !asked.includes("PAY-3")) return false;
        const { statusCode, body } = honest();
        void clock.sleep(lateMs).then(() => answer(statusCode, body));
        return true;
      },
      { clock: () => Date.parse(clock.now()) },
    );
    const policy = { nonceRule: "unique", concurrency: 1 } as const;
    const lane = openLane(service.url, { clock, policy, timeoutMs: 120_000 });
    await lane.approve(6);
    expect(await lane.pay()).toMatchObject({ due: 6, accepted: 6 });
    expect(service.creations()).toEqual(["PAY-1", "PAY-2", "PAY-3", "PAY-4", "PAY-5", "PAY-6"]);
  });
});
