import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Slots } from "../../src/daemon/slots.ts";
import { systemClock } from "../../src/index.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** The slots that begin from an instant on; `during` lets time pass. */
function slotsBegun(
  schedule: string,
  from: string,
  during: (slots: Slots) => void,
  timeZone = "Europe/Madrid",
): string[] {
  vi.setSystemTime(new Date(from));
  const begun: string[] = [];
  const slots = new Slots({ schedule, timeZone }, systemClock, (dueAt) => begun.push(dueAt.toISOString()));
  during(slots);
  slots.end();
  return begun;
}

describe("the slots of a job", () => {
  test.each([
    ["*/30 * * * *", "Europe/Madrid", "10-24T23:50", ["00:00", "00:30", "01:00", "01:30", "02:00"]],
    ["*/30 * * * *", "America/New_York", "11-01T04:50", ["05:00", "05:30", "06:00", "06:30", "07:00"]],
    ["*/30 * * * *", "Australia/Sydney", "04-04T14:50", ["15:00", "15:30", "16:00", "16:30", "17:00"]],
    ["30 2 * * *", "Europe/Madrid", "10-24T23:50", ["00:30", "01:30"]],
    ["30 1 * * *", "America/New_York", "11-01T04:50", ["05:30", "06:30"]],
    ["15 30 1,4 * * *", "Europe/London", "10-24T23:50", ["00:30:15", "01:30:15"]],
  ])(
    "come through both hours when clocks are set back, and none twice: %s in %s",
    (schedule, zone, from, times) => {
      const night = () => vi.advanceTimersByTime(150 * MINUTE_MS);
      expect(slotsBegun(schedule, `2026-${from}:00.000Z`, night, zone).map((slot) => slot.slice(11))).toEqual(
        times.map((time) => `${time}${time.length === 5 ? ":00" : ""}.000Z`),
      );
    },
  );

  test("come on through the night on which clocks are set forward", () => {
    const night = () => vi.advanceTimersByTime(80 * MINUTE_MS);
    const times = ["00:30", "01:00", "01:30"];
    expect(slotsBegun("*/30 * * * *", "2026-03-29T00:20:00.000Z", night)).toEqual(
      times.map((time) => `2026-03-29T${time}:00.000Z`),
    );
  });

  test("do not come early, however far away the next one is", () => {
    const months = () => vi.advanceTimersByTime(320 * DAY_MS);
    expect(slotsBegun("0 4 1 1 *", "2026-02-10T00:00:00.000Z", months)).toEqual([]);
    const year = () => vi.advanceTimersByTime(330 * DAY_MS);
    expect(slotsBegun("0 4 1 1 *", "2026-02-10T00:00:00.000Z", year)).toEqual(["2027-01-01T03:00:00.000Z"]);
  });

  test.each([
    [
      "the slots are looked at first",
      (_slots: Slots) => vi.advanceTimersByTime(MINUTE_MS),
      ["12:01", "12:02"],
    ],
    ["the step is noticed first", (slots: Slots) => slots.clockWasSet(), ["12:00", "12:01"]],
  ])("that a clock passed which was set forward by 50 years are one: %s", (_what, next, begun) => {
    const step = (slots: Slots) => {
      vi.setSystemTime(new Date("2026-11-23T12:00:30.000Z"));
      next(slots);
      vi.advanceTimersByTime(MINUTE_MS);
    };
    expect(slotsBegun("* * * * *", "1976-01-01T00:00:10.000Z", step)).toEqual(
      begun.map((time) => `2026-11-23T${time}:00.000Z`),
    );
  });

  test.each([
    ["10:09:30", "10:15:30", "10:15"],
    ["10:09:30", "10:20:00", "10:20"],
    ["10:09:30", "10:18:00", "10:10"],
    ["10:09:30", "10:10:40", "10:10"],
  ])("where the process stood still from %s to %s, that of %s has come", (from, until, slot) => {
    const still = (slots: Slots) => {
      vi.setSystemTime(new Date(`2026-11-23T${until}.500Z`));
      slots.clockWasSet();
    };
    expect(slotsBegun("*/5 * * * *", `2026-11-23T${from}.000Z`, still)).toEqual([
      `2026-11-23T${slot}:00.000Z`,
    ]);
  });

  test("go by the new time when the clock was set back, and do not when it was set back by a moment", () => {
    const backBy = (ms: number, isNoticed: boolean) => (slots: Slots) => {
      vi.advanceTimersByTime(20_000);
      vi.setSystemTime(Date.now() - ms);
      if (isNoticed) slots.clockWasSet();
      vi.advanceTimersByTime(70_000);
    };
    const from = "2026-11-23T12:00:50.000Z";
    const first = "2026-11-23T12:01:00.000Z";
    expect(slotsBegun("* * * * *", from, backBy(DAY_MS, true))).toEqual([first, "2026-11-22T12:02:00.000Z"]);
    expect(slotsBegun("* * * * *", from, backBy(15_000, false))).toEqual([first, "2026-11-23T12:02:00.000Z"]);
  });
});
