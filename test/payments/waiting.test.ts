/** Approved but not sent: the payment's day has not come, a limit is reached, or the approval has expired. */
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/model/index.ts";
import { amountOf, Decimal } from "../../src/money/index.ts";
import { reopenByPerson } from "../../src/payments/sending/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { createdAt, type Lane, type LaneOptions, openLane, sandbox, until } from "./lane.ts";

describe("what waits", () => {
  const laneOn = async (options: LaneOptions): Promise<{ lane: Lane; created: () => string[] }> => {
    const service = await sandbox();
    return { lane: openLane(service.url, options), created: () => createdAt(service) };
  };

  test("a row before its day, in the company's time zone", async () => {
    const { lane, created } = await laneOn({ policy: { dayOf: () => "2026-11-20" } });
    await lane.approve(3, (row) => ({ payOn: `2026-11-${18 + row}` }));
    expect(await lane.pay()).toMatchObject({ due: 2, accepted: 2 });
    expect(created()).toEqual(["PAY-1", "PAY-2"]);
    expect(await lane.standings()).toContain("PAY-3 approved");
  });

  test("a row of a batch that is not to be paid now", async () => {
    const { lane, created } = await laneOn({});
    const [first] = await lane.approve(1);
    await lane.approve(1, () => ({ reference: "PAY-2" }));
    expect(await lane.pay(first && { batch: first.batchId })).toMatchObject({ due: 1, accepted: 1 });
    expect(created()).toEqual(["PAY-1"]);
    expect(await lane.standings()).toContain("PAY-2 approved");
  });

  test("a row over the day's limit; a smaller one after it still leaves", async () => {
    const { lane, created } = await laneOn({ policy: { limitPerDay: { BTC: Decimal.of("0.3") } } });
    const amounts = ["0.1", "0.2", "0.00000001", "0"];
    await lane.approve(3, (row) => ({ amount: amountOf(amounts[row - 1] ?? "", "BTC") }));
    expect(await lane.pay()).toMatchObject({
      accepted: 2,
      postponed: 1,
      problems: [{ code: "DAY_LIMIT_REACHED" }],
    });
    expect(created()).toEqual(["PAY-1", "PAY-2"]);
    expect(await lane.standings()).toContain("PAY-3 approved");
  });

  test("until the next day, then leaves by itself", async () => {
    let today = "2026-11-20";
    const { lane, created } = await laneOn({
      policy: { limitPerDay: { BTC: Decimal.of("0.002") }, dayOf: () => today },
    });
    await lane.approve(2);
    expect(await lane.pay()).toMatchObject({ accepted: 1, postponed: 1 });
    today = "2026-11-21";
    expect(await lane.pay()).toMatchObject({ accepted: 1, postponed: 0 });
    expect(created()).toEqual(["PAY-1", "PAY-2"]);
  });

  test("a re-opened payment counts on the day on which it is sent again", async () => {
    const clock = virtualClock();
    const limitPerDay = { BTC: Decimal.of("0.002") };
    const effect = { kind: "answer", statusCode: 400, body: errorBody("LOCKED"), committed: false } as const;
    const service = await sandbox({
      clock: () => Date.parse(clock.now()),
      faults: [{ operation: "createPayoutV2", nth: 1, effect }],
    });
    const lane = openLane(service.url, { clock, policy: { limitPerDay } });
    await lane.approve(1, () => ({ amount: amountOf("0.002", "BTC") }));
    expect(await lane.pay()).toMatchObject({ refused: 1 });
    await clock.sleep(DAY_MS);
    await reopenByPerson(lane.tools, ["PAY-1"], { person: "ann", reason: "its account is known now" });
    expect(await lane.pay()).toMatchObject({ accepted: 1 });
    await lane.approve(1, () => ({ reference: "PAY-2", amount: amountOf("0.001", "BTC") }));
    expect(await lane.pay()).toMatchObject({ accepted: 0, problems: [{ code: "DAY_LIMIT_REACHED" }] });
    await clock.sleep(DAY_MS);
    expect(await lane.pay()).toMatchObject({ accepted: 1 });
  });

  test("a row over its destination's limit, until the next day; other destinations are paid", async () => {
    let today = "2026-11-20";
    const { lane, created } = await laneOn({
      policy: {
        nonceRule: "unique",
        limitPerDestination: { BTC: Decimal.of("0.003") },
        dayOf: () => today,
      },
    });
    const other = { destinationAddress: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" };
    await lane.approve(4, (row) => ({ amount: amountOf("0.0015", "BTC"), ...(row === 4 ? other : {}) }));
    expect(await lane.pay()).toMatchObject({
      accepted: 3,
      postponed: 1,
      problems: [{ code: "DAY_LIMIT_REACHED", reference: "PAY-3" }],
    });
    expect(created().toSorted()).toEqual(["PAY-1", "PAY-2", "PAY-4"]);
    today = "2026-11-21";
    expect(await lane.pay()).toMatchObject({ accepted: 1, postponed: 0 });
  });

  test("a payment held back by the day's limit does not count against its destination", async () => {
    let today = "2026-11-20";
    const limit = { BTC: Decimal.of("0.002") };
    const { lane } = await laneOn({
      policy: { limitPerDay: limit, limitPerDestination: limit, dayOf: () => today },
    });
    const other = { destinationAddress: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" };
    await lane.approve(2, (row) => ({ amount: amountOf("0.002", "BTC"), ...(row === 1 ? other : {}) }));
    expect(await lane.pay()).toMatchObject({ accepted: 1, problems: [{ code: "DAY_LIMIT_REACHED" }] });
    expect(await lane.pay()).toMatchObject({ accepted: 0, problems: [{ code: "DAY_LIMIT_REACHED" }] });
    today = "2026-11-21";
    expect(await lane.pay()).toMatchObject({ accepted: 1 });
  });

  test.each([
    ["perRow", { limitPerRow: { BTC: Decimal.of("0.001") } }],
    ["perDay", { limitPerDay: { BTC: Decimal.of("0.001") } }],
    ["perDestination", { limitPerDestination: { BTC: Decimal.of("0.001") } }],
  ])(
    "a row above limits.%s, as it was lowered since the approval, waits for no tomorrow, and somebody is told",
    async (key, policy) => {
      const { lane, created } = await laneOn({ policy });
      await lane.approve(1, () => ({ amount: amountOf("0.002", "BTC") }));
      expect(await lane.pay()).toMatchObject({
        postponed: 1,
        problems: [
          {
            code: "PAYMENT_OVER_LIMIT",
            next: "needs-person",
            message: expect.stringContaining(`limits.${key}`),
          },
        ],
      });
      expect(created()).toEqual([]);
    },
  );

  test.each([
    ["per row", { limitPerRow: {} }],
    ["per day", { limitPerDay: {} }],
  ])("a currency without a limit %s is not payable, though it was approved", async (_which, policy) => {
    const { lane, created } = await laneOn({ policy });
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ postponed: 1, problems: [{ code: "CURRENCY_WITHOUT_LIMIT" }] });
    expect(created()).toEqual([]);
  });

  test.each([
    ["has ended", "2026-11-20T09:30:00.000Z", "APPROVAL_EXPIRED"],
    ["is missing", undefined, "APPROVAL_LACKING"],
  ])("a row whose approval %s", async (_what, ends, code) => {
    const { lane, created } = await laneOn({
      policy: { whyNotReleased: until(ends) },
      clock: virtualClock(),
    });
    await lane.approve(1);
    expect(await lane.pay()).toMatchObject({ postponed: 1, problems: [{ code }] });
    expect(created()).toEqual([]);
    expect(await lane.standings()).toEqual(["PAY-1 approved"]);
  });
});
