/** Look-ups may be repeated, a few times and politely; one that stays unanswered becomes one clear fault. */
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/faults/index.ts";
import { lookUp } from "../../src/gateway/index.ts";
import { systemClock } from "../../src/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { type Exchange, errorBody, FIND, startOddService } from "./odd-service.ts";
import { gatewayTo } from "./trial-gateway.ts";

async function ask(play: (exchange: Exchange, nth: number) => boolean | undefined, timeoutMs = 5000) {
  const clock = virtualClock();
  let nth = 0;
  const service = await startOddService((exchange) => {
    nth += 1;
    return play(exchange, nth);
  });
  const gateway = gatewayTo(service.url, { timeoutMs }, clock);
  const answer = await lookUp(gateway, clock, "findPayoutFilteredV2", {}).catch(
    (error: Fault) => error.problem,
  );
  return { answer, attempts: service.arrivals.length, pausesMs: clock.sleeps };
}

describe("a look-up", () => {
  test.each([500, 502, 503, 429])("is asked again after %i, and then answered", async (status) => {
    const { answer, attempts, pausesMs } = await ask(({ answer: send }, nth) => {
      if (nth === 3) return false;
      send(status, errorBody("LATER"));
      return true;
    });
    expect(answer).toHaveProperty("results.totalElements", 0);
    expect(attempts).toBe(3);
    expect(pausesMs).toEqual([200, 800]);
  });

  test("is asked three times and no more", async () => {
    const { answer, attempts } = await ask(({ response }) => void response.destroy());
    expect(answer).toMatchObject({ code: "SERVICE_UNREACHABLE", operation: "findPayoutFilteredV2" });
    expect(attempts).toBe(3);
  });

  test.each([
    ["2", 2000],
    ["86400", 30_000],
    ["Fri, 20 Nov 2026 09:30:07 GMT", 7000],
    ["Fri, 20 Nov 2026 10:00:00 GMT", 30_000],
    ["Thu, 19 Nov 2026 10:00:00 GMT", 0],
    ["soon", 200],
    ["-5", 0],
  ])("waits as Retry-After %s asks, within bounds", async (retryAfter, pauseMs) => {
    const { pausesMs } = await ask(({ answer: send }, nth) => {
      if (nth > 1) return false;
      send(503, errorBody("LATER"), { "retry-after": retryAfter });
      return true;
    });
    expect(pausesMs[0]).toBe(pauseMs);
  });

  test.each([
    [400, "SERVICE_REFUSED"],
    [404, "SERVICE_REFUSED"],
    [401, "SERVICE_REFUSED_KEY"],
    [403, "SERVICE_REFUSED_KEY"],
    [409, "SERVICE_CONFLICT"],
  ])("refused with %i is not asked again", async (status, code) => {
    const { answer, attempts } = await ask(({ answer: send }) => void send(status, errorBody("NO", "words")));
    expect(answer).toMatchObject({ code, message: expect.stringContaining("words") });
    expect(attempts).toBe(1);
  });

  test.each([
    ["HTML", 200, "<html>log in</html>", 3],
    ["a redirect", 302, "", 1],
    ["HTML and a refusal", 403, "<html>log in</html>", 1],
    ["an envelope without results", 200, '{"filters":{}}', 3],
    ["null", 200, "null", 3],
    ["the answer to a creation", 202, '{"payoutId":"01a2004c-de6b-7555-850c-1753d24b0e45"}', 3],
  ])(
    "answered with %s (%i) is unreadable, and says nothing about payouts",
    async (_what, status, body, asked) => {
      const { answer, attempts } = await ask(({ answer: send }) => void send(status, body));
      expect(answer).toMatchObject({ code: "SERVICE_ANSWER_UNREADABLE" });
      expect(attempts).toBe(asked);
    },
  );

  test.each([
    ["that is down", 503, "<html>no backend</html>", "SERVICE_FAILED", 3],
    ["that is down, and says nothing", 502, "", "SERVICE_FAILED", 3],
    ["for which there are too many requests", 429, "slow down", "SERVICE_BUSY", 3],
    ["to which the key is unknown", 401, "", "SERVICE_REFUSED_KEY", 1],
  ])(
    "answered in place of a service %s is told by its status (%i)",
    async (_what, status, body, code, asked) => {
      const { answer, attempts } = await ask(({ answer: send }) => void send(status, body));
      expect(answer).toMatchObject({ code });
      expect(attempts).toBe(asked);
    },
  );

  test("whose answer was damaged on its way is asked again, and then answered", async () => {
    const { answer, attempts } = await ask(({ honest, answer: send }, nth) => {
      if (nth > 1) return false;
      return void send(200, honest().body.replace('"content":', '"con'));
    });
    expect(answer).toHaveProperty("results.totalElements", 0);
    expect(attempts).toBe(2);
  });

  test("is not repeated once it is to stop, however long the service asks to wait", async () => {
    const stop = new AbortController();
    const service = await startOddService(({ answer: send }) => {
      send(503, errorBody("LATER"), { "retry-after": "3600" });
      stop.abort();
      return true;
    });
    const gateway = gatewayTo(service.url, {}, systemClock, stop.signal);
    await expect(lookUp(gateway, systemClock, "findPayoutFilteredV2", {})).rejects.toMatchObject({
      problem: { code: "SERVICE_FAILED" },
    });
    expect(service.arrivals).toHaveLength(1);
  });

  test("without an answer in time is a timeout", async () => {
    const { answer } = await ask(() => undefined, 100);
    expect(answer).toMatchObject({ code: "SERVICE_TIMEOUT", next: "will-retry" });
  });
});

test("a service that is not there is named", async () => {
  const clock = virtualClock();
  const nowhere = gatewayTo("http://payments.invalid", {}, clock);
  await expect(lookUp(nowhere, clock, "findPayoutFilteredV2", {})).rejects.toMatchObject({
    problem: { code: "SERVICE_UNREACHABLE", message: expect.stringContaining("http://payments.invalid") },
  });
  expect(FIND).toBe("/payouts/v2/find");
});
