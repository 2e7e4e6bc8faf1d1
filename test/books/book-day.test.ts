import { describe, expect, test } from "vitest";
import { refuseClosedAhead } from "../../src/books/index.ts";
import { book, btc, funds, payout, policyWith, rateIntoEur } from "./movements.ts";

function daysOf(confirmedAt: string, changes = {}) {
  const sentFunds = [funds({ confirmedAt, amount: btc("0.05"), rate: rateIntoEur("80000") })];
  const [entry] = book({ payouts: [payout("0001", { sentFunds })], policy: policyWith(changes) }).entries;
  return [entry?.bookDay, entry?.documentDay];
}

describe("the book day is the company's calendar day", () => {
  test.each([
    ["winter, before midnight in Madrid", "2026-12-31T22:59:59.999Z", "2026-12-31"],
    ["winter, midnight in Madrid", "2026-12-31T23:00:00.000Z", "2027-01-01"],
    ["winter, half past eleven in UTC", "2026-12-31T23:30:00.000Z", "2027-01-01"],
    ["summer, before midnight in Madrid", "2026-06-30T21:59:59.999Z", "2026-06-30"],
    ["summer, midnight in Madrid", "2026-06-30T22:00:00.000Z", "2026-07-01"],
    ["the day clocks go forward, its first instant", "2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["the day clocks go forward, its last instant", "2026-03-29T21:59:59.999Z", "2026-03-29"],
    ["the day clocks go forward, over", "2026-03-29T22:00:00.000Z", "2026-03-30"],
    ["the day clocks go back, its first instant", "2026-10-24T22:00:00.000Z", "2026-10-25"],
    ["the day clocks go back, its last instant", "2026-10-25T22:59:59.999Z", "2026-10-25"],
    ["the day clocks go back, over", "2026-10-25T23:00:00.000Z", "2026-10-26"],
  ])("%s", (_when, instant, day) => {
    expect(daysOf(instant)).toEqual([day, day]);
  });

  test("in another time zone the same instant is another day", () => {
    const instant = "2026-12-31T23:30:00.000Z";
    expect(daysOf(instant, { timeZone: "UTC" })[0]).toBe("2026-12-31");
    expect(daysOf(instant, { timeZone: "America/New_York" })[0]).toBe("2026-12-31");
    expect(daysOf(instant, { timeZone: "Asia/Tokyo" })[0]).toBe("2027-01-01");
  });
});

describe("a closed period", () => {
  test("takes nothing more: its last day is booked on the first open one, with the true day kept", () => {
    expect(daysOf("2026-12-31T12:00:00.000Z", { closedThrough: "2026-12-31" })).toEqual([
      "2027-01-01",
      "2026-12-31",
    ]);
    expect(daysOf("2028-02-10T12:00:00.000Z", { closedThrough: "2028-02-28" })).toEqual([
      "2028-02-29",
      "2028-02-10",
    ]);
    expect(daysOf("2026-12-31T23:30:00.000Z", { closedThrough: "2026-12-31" })).toEqual([
      "2027-01-01",
      "2027-01-01",
    ]);
  });

  test.each([
    ["2026-12-31", "2026-12-01T00:00:00.000Z", false],
    ["2026-12-31", "2026-11-30T22:59:59.000Z", false],
    ["2026-12-31", "2026-11-29T12:00:00.000Z", true],
    ["2062-10-31", "2026-11-23T12:00:00.000Z", true],
    ["2026-10-31", "2030-11-23T12:00:00.000Z", false],
    [undefined, "2026-11-23T12:00:00.000Z", false],
  ])(
    "through %s is refused at %s: %s, because nothing that is exported is dated back",
    (closedThrough, now, isRefused) => {
      const look = () => refuseClosedAhead(policyWith({ closedThrough }), now);
      if (isRefused) expect(look).toThrow(/more than 31 days from now/);
      else expect(look).not.toThrow();
    },
  );
});
