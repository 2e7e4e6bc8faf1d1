/** The rules of the calendar, over a year of real days with both changes of the clock. */
import { describe, expect, test } from "vitest";
import {
  type CalendarSettings,
  dayIn,
  localMinuteText,
  passedDue,
  readDueRule,
  restText,
  sendingCalendar,
} from "../../src/model/index.ts";

const OFFICE: CalendarSettings = {
  daysOff: ["Saturday", "Sunday", "2026-04-03", "12-25"],
  cutOff: "16:00",
  sendHours: { from: "08:00", to: "18:00" },
};
const MADRID = sendingCalendar(OFFICE, "Europe/Madrid");
const HOUR_MS = 3_600_000;

/** At so many hours from the beginning of 2026 in UTC. */
const hours = Array.from({ length: 365 * 24 }, (_, hour) =>
  new Date(Date.parse("2026-01-01T00:30:00.000Z") + hour * HOUR_MS).toISOString(),
);

test("in each hour of a year something new is sent exactly on working days within the hours that the clock shows", () => {
  for (const at of hours) {
    const local = localMinuteText("Europe/Madrid", at).slice(0, 16);
    const day = local.slice(0, 10);
    const isOff = [0, 6].includes(new Date(day).getUTCDay()) || ["2026-04-03", "2026-12-25"].includes(day);
    const time = local.slice(11);
    const [sends, begins] = [
      !isOff && time >= "08:00" && time < "18:00",
      !isOff && time >= "08:00" && time < "16:00",
    ];
    const asked = {
      sends: MADRID.restAt(at, "send") === undefined,
      begins: MADRID.restAt(at, "begin") === undefined,
    };
    expect([at, asked]).toEqual([at, { sends, begins }]);
    const next = MADRID.goesAt(undefined, at);
    expect(
      begins ? next === at : next > at && localMinuteText("Europe/Madrid", next).slice(11, 16) === "08:00",
    ).toBe(true);
    expect(MADRID.restAt(next, "begin")).toBeUndefined();
  }
});

test("without a calendar everything goes at once, or at the beginning of its day", () => {
  const always = sendingCalendar({ daysOff: [] }, "Europe/Madrid");
  expect(hours.filter((at) => always.restAt(at, "begin") !== undefined)).toEqual([]);
  expect(always.goesAt("2026-12-26", "2026-12-01T10:00:00.000Z")).toBe("2026-12-25T23:00:00.000Z");
});

test.each([
  ["a Saturday", "2026-11-28", "2026-11-23T09:00Z", "2026-11-30 08:00"],
  ["a working day to come", "2026-11-25", "2026-11-23T09:00Z", "2026-11-25 08:00"],
  ["today, before the cut-off", "2026-11-23", "2026-11-23T14:59Z", "2026-11-23 15:59"],
  ["today, after the cut-off", "2026-11-23", "2026-11-23T15:00Z", "2026-11-24 08:00"],
  ["a Friday, after its cut-off", "2026-11-27", "2026-11-27T16:00Z", "2026-11-30 08:00"],
  ["Good Friday", "2026-04-03", "2026-04-01T09:00Z", "2026-04-06 08:00"],
  ["Christmas, of any year", "2029-12-25", "2029-12-20T09:00Z", "2029-12-26 08:00"],
  ["a day that is past", "2026-11-01", "2026-11-23T09:00Z", "2026-11-23 10:00"],
])("what is due on %s goes on the next working day", (_what, payOn, at, goes) => {
  const instant = new Date(at).toISOString();
  expect(localMinuteText("Europe/Madrid", MADRID.goesAt(payOn, instant)).slice(0, 16)).toBe(goes);
});

/**
 * The clocks of Madrid leave out 02:00 to 03:00 on 29 March, and show it twice on 25 October; Lord Howe moves by 30
 * minutes.
 */
describe("hours that a clock leaves out or shows twice", () => {
  test.each([
    ["2026-03-28", "Europe/Madrid", "02:30", "05:00", "2026-03-28T01:30", "2026-03-28T04:00"],
    ["2026-03-29", "Europe/Madrid", "02:30", "05:00", "2026-03-29T01:00", "2026-03-29T03:00"],
    ["2026-03-29", "Europe/Madrid", "01:00", "02:30", "2026-03-29T00:00", "2026-03-29T01:00"],
    ["2026-10-25", "Europe/Madrid", "02:30", "05:00", "2026-10-25T00:30", "2026-10-25T04:00"],
    ["2026-10-25", "Europe/Madrid", "01:00", "02:30", "2026-10-24T23:00", "2026-10-25T00:30"],
    ["2026-10-04", "Australia/Lord_Howe", "02:10", "04:00", "2026-10-03T15:30", "2026-10-03T17:00"],
    ["2026-09-06", "America/Santiago", "00:00", "24:00", "2026-09-06T04:00", "2026-09-07T03:00"],
  ])("on %s in %s, %s to %s opens and closes once", (day, zone, from, to, opens, closes) => {
    const calendar = sendingCalendar({ daysOff: [], sendHours: { from, to } }, zone);
    const minutes = Array.from({ length: 44 * 60 }, (_, minute) =>
      new Date(Date.parse(`${day}T00:00:00.000Z`) - 14 * HOUR_MS + minute * 60_000).toISOString(),
    ).filter((at) => dayIn(zone, at) === day);
    const open = minutes.filter((at) => calendar.restAt(at, "send") === undefined);
    expect([open[0]?.slice(0, 16), open.length]).toEqual([
      opens,
      (Date.parse(`${closes}Z`) - Date.parse(`${opens}Z`)) / 60_000,
    ]);
  });

  test("a day of which nothing is left is passed over, and no payment is lost", () => {
    const calendar = sendingCalendar(
      { daysOff: [], sendHours: { from: "02:00", to: "02:45" } },
      "Europe/Madrid",
    );
    const rest = calendar.restAt("2026-03-28T12:00:00.000Z", "send");
    expect(rest).toEqual({ why: "after the send hours", until: "2026-03-30T00:00:00.000Z" });
    expect(rest && restText(rest, "Europe/Madrid")).toBe(
      "it is after the send hours; sending goes on at 2026-03-30 02:00 (Europe/Madrid)",
    );
  });
});

describe("a file that is due", () => {
  const days = (due: string) => {
    const rule = readDueRule(due);
    const passed = hours
      .slice(0, 190 * 24)
      .filter((_, hour) => hour % 24 === 7)
      .flatMap((at) => (rule && passedDue(rule, MADRID, 6, at)) ?? []);
    return [...new Map(passed.map(({ day, overSince }) => [day, overSince]))];
  };

  test.each([
    ["25th", ["2026-01-26", "2026-02-25", "2026-03-25", "2026-04-27", "2026-05-25", "2026-06-25"]],
    ["31st", ["2026-02-02", "2026-03-02", "2026-03-31", "2026-04-30", "2026-06-01", "2026-06-30"]],
    [
      "last working day",
      ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29", "2026-06-30"],
    ],
    ["Friday", ["2026-01-02", "2026-01-09", "2026-01-16", "2026-01-23", "2026-01-30", "2026-02-06"]],
  ])(
    "%s is over at the end of its day, and of its hours of grace; a day off moves to the next working day",
    (due, first) => {
      const passed = days(due).filter(([day]) => day >= "2026");
      expect(passed.map(([day]) => day).slice(0, first.length)).toEqual(first);
      const ends = passed.map(([, over = ""]) => localMinuteText("Europe/Madrid", over).slice(11, 16));
      expect(new Set(ends)).toEqual(new Set(["06:00"]));
    },
  );

  test("Good Friday's file is due on Monday, and counts for the day that it is nearest to", () => {
    const passed = passedDue({ weekday: "Friday" }, MADRID, 0, "2026-04-07T00:00:00.000Z");
    expect(passed).toEqual({
      day: "2026-04-06",
      overSince: "2026-04-06T22:00:00.000Z",
      from: "2026-04-01T22:30:00.000Z",
      until: "2026-04-08T22:00:00.000Z",
    });
  });

  test.each(["0th", "32nd", "25", "friday", "last day", ""])("%j is no rule", (text) =>
    expect(readDueRule(text)).toBeUndefined(),
  );
});
