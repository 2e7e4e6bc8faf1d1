/** The service's view of an accepted payout is compared with the request, in the run that paid it. */
import { describe, expect, test } from "vitest";
import { virtualClock } from "../context/virtual-clock.ts";
import { CREATE, FIND, startOddService } from "../gateway/odd-service.ts";
import { createdAt, creationArrivals, openLane, sandbox } from "./lane.ts";

const OTHER_ID = "0d5d6e8a-0000-4000-8000-000000000001";

describe("a payout that was accepted", () => {
  test("raises an alarm if the service shows only another payout under its reference", async () => {
    const service = await startOddService(({ path, honest, answer }) => {
      if (path !== CREATE) return false;
      honest();
      answer(202, JSON.stringify({ payoutId: OTHER_ID }));
      return true;
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    const { problems } = await lane.pay();
    expect(problems).toMatchObject([
      { code: "ANOTHER_PAYOUT_SHOWN", reference: "PAY-1", payoutId: OTHER_ID, next: "needs-person" },
    ]);
    expect((await lane.pay()).problems).toMatchObject([{ code: "ANOTHER_PAYOUT_SHOWN" }]);
  });

  test.each([
    ["null", "no callbackUrl"],
    ['"https://pay.example.com/other"', "another callbackUrl"],
  ])("is told by what the service shows, where it shows %s for its callbackUrl", async (shown, what) => {
    const service = await startOddService(({ path, honest, answer }) => {
      if (path !== FIND) return false;
      const { statusCode, body } = honest();
      return void answer(statusCode, body.replaceAll(/"callbackUrl":"[^"]*"/g, `"callbackUrl":${shown}`));
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect((await lane.pay()).problems).toMatchObject([
      {
        code: "PAYOUT_SHOWN_CHANGED",
        message: `the service shows this payout with other values than were sent: ${what}`,
        fix: expect.stringContaining("`service.correlation: reference`"),
      },
    ]);
  });

  test("is reported if the service shows it in a form that cannot be read", async () => {
    const service = await startOddService(({ path, honest, answer }) => {
      if (path !== FIND) return false;
      const { statusCode, body } = honest();
      return void answer(statusCode, body.replaceAll(/"createdDate":"[^"]*"/g, '"createdDate":"yesterday"'));
    });
    const lane = openLane(service.url);
    await lane.approve(3);
    const { accepted, problems } = await lane.pay();
    expect(accepted).toBe(3);
    expect(problems).toMatchObject([
      { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringContaining('createdDate: "yesterday"') },
    ]);
  });

  test("raises an alarm if the service shows a second one beside it", async () => {
    const service = await sandbox({
      faults: [{ operation: "createPayoutV2", nth: 1, effect: { kind: "duplicate" } }],
    });
    const lane = openLane(service.url);
    await lane.approve(1);
    const [first] = service.creations();
    expect(first).toBeUndefined();
    expect((await lane.pay()).problems).toMatchObject([
      {
        code: "ANOTHER_PAYOUT_SHOWN",
        message: expect.stringContaining(service.creations()[0]?.payoutId ?? ""),
      },
    ]);
  });

  test.each([
    ["in lower case", { lowerCased: true }, "reference pay-1"],
    ["cut", { lengthMax: 3 }, "reference PAY"],
  ])("is told by the run that paid it where its reference comes back %s", async (_how, reference, what) => {
    const service = await sandbox({ reference });
    const lane = openLane(service.url);
    await lane.approve(1);
    expect((await lane.pay()).problems).toMatchObject([
      { code: "PAYOUT_SHOWN_CHANGED", reference: "PAY-1", message: expect.stringContaining(what) },
    ]);
    expect((await lane.pay()).problems).toEqual([]);
  });

  test("and is shown changed is no witness: a doubt of its key is not re-sent automatically", async () => {
    const clock = virtualClock();
    const service = await sandbox({
      clock: () => Date.parse(clock.now()),
      reference: { lowerCased: true },
      faults: [{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-after-commit" } }],
    });
    const lane = openLane(service.url, { clock, policy: { nonceRule: "increasing" } });
    await lane.approve(2);
    await lane.pay();
    await clock.sleep(3_600_000);
    await lane.pay();
    expect(creationArrivals(service)).toBe(2);
    expect(createdAt(service)).toEqual(["pay-1", "pay-2"]);
    expect(await lane.lastLook("PAY-2")).toContain("ever been found by its reference as it was sent");
  });

  test.each([
    ["proves nothing about a reference with spaces", "PAY-1", 2, "with spaces or other unusual characters"],
    ["with spaces in its reference, proves what is absent beside it", "PAY 2026 001", 3, ""],
  ])("%s", async (_title, first, arrivals, saw) => {
    const clock = virtualClock();
    const service = await sandbox({
      clock: () => Date.parse(clock.now()),
      faults: [{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-before-read" } }],
    });
    const lane = openLane(service.url, { clock, policy: { nonceRule: "increasing" } });
    await lane.approve(2, (row) => ({ reference: row === 1 ? first : "PAY 2026 002" }));
    await lane.pay();
    await clock.sleep(3_600_000);
    await lane.pay();
    expect(creationArrivals(service)).toBe(arrivals);
    expect(await lane.lastLook("PAY 2026 002")).toContain(saw);
  });
});
