/** When a sender's files usually come: what is learnt from days, in words, and what is not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Day,
  type DueRule,
  daysBetween,
  daysLater,
  dueDays,
  learntRhythm,
  rhythmText,
  sendingCalendar,
  WEEKDAYS,
} from "../../src/model/index.ts";

const OFFICE = sendingCalendar({ daysOff: ["Saturday", "Sunday", "12-25"] }, "Europe/Madrid");
const ALWAYS = sendingCalendar({ daysOff: [] }, "Europe/Madrid");

/** Of 2026: "06-24 07-25" */
function daysOf(text: string): Day[] {
  return text.split(" ").map((day) => `2026-${day}`);
}

describe("the days of a sender's last files", () => {
  test.each<[string, string, string, string]>([
    [
      "a few days of the month",
      "06-24 07-24 08-26 09-25 10-26",
      "its last 5 files came between the 24th and the 26th of the month",
      "2026-11-26",
    ],
    [
      "one day of the month, moved by days off",
      "06-25 07-27 08-25 09-25 10-26",
      "its last 5 files came on the 25th of the month, or on the next working day",
      "2026-11-25",
    ],
    [
      "the last working day",
      "05-29 06-30 07-31 08-31 09-30 10-30",
      "its last 6 files came on the last working day of the month",
      "2026-11-30",
    ],
    [
      "around the end of the month",
      "06-29 07-31 09-01 09-30 11-02",
      "its last 5 files came on the 1st of the month or up to 2 days before, or on the next working day",
      "2026-12-01",
    ],
    [
      "a day of the week",
      "10-02 10-09 10-15 10-23",
      "its last 4 files came on Friday or the day before",
      "2026-10-30",
    ],
    [
      "every two weeks",
      "09-04 09-18 10-02 10-16",
      "its last 4 files came on every second Friday",
      "2026-10-30",
    ],
    [
      "once late",
      "05-25 06-25 07-31 08-25 09-25 10-26",
      "5 of its last 6 files came on the 25th of the month, or on the next working day",
      "2026-11-25",
    ],
    [
      "once not at all",
      "05-25 06-25 08-25 09-25 10-26",
      "its last 5 files came on the 25th of the month, or on the next working day",
      "2026-11-25",
    ],
    [
      "in parts and corrected",
      "07-10 07-12 08-10 09-10 09-10 10-12 10-13",
      "its last 4 files came on the 10th of the month, or on the next working day",
      "2026-11-10",
    ],
    [
      "on another day before",
      "03-10 04-10 05-11 06-25 07-27 08-25 09-25",
      "its last 4 files came on the 25th of the month, or on the next working day",
      "2026-10-26",
    ],
  ])("%s", (_what, came, text, next) => {
    const days = daysOf(came);
    const rhythm = learntRhythm(days, OFFICE);
    if (typeof rhythm === "string") throw new Error(rhythm);
    const last = days.at(-1) ?? "";
    const due = dueDays(rhythm.rule, OFFICE, last, daysLater(last, 70)).filter(({ day }) => day > last);
    expect([rhythmText(rhythm), due[0]?.day]).toEqual([text, next]);
  });

  test.each([
    ["three files", "08-25 09-25 10-26", "few files"],
    ["four files in one week", "10-26 10-27 10-28 10-29", "few files"],
    ["files at any time", "05-03 06-20 07-09 08-28 09-01 10-15", "irregular"],
    ["late twice", "05-25 06-25 07-31 08-25 09-05 10-26", "irregular"],
    ["first Tuesdays, which are no day of the month", "06-02 07-07 08-04 09-01 10-06", "irregular"],
  ])("%s are no rhythm", (_what, came, why) => expect(learntRhythm(daysOf(came), OFFICE)).toBe(why));
});

/** Rules, with how many days earlier their files may come. */
const rules: fc.Arbitrary<{ readonly rule: DueRule; readonly early: number }> = fc.oneof(
  fc.record({ rule: fc.record({ monthDay: fc.integer({ min: 1, max: 31 }) }), early: fc.constant(4) }),
  fc.record({ rule: fc.constant({ isLastWorkingDay: true as const }), early: fc.constant(0) }),
  fc.record({ rule: fc.record({ weekday: fc.constantFrom(...WEEKDAYS) }), early: fc.constant(1) }),
  fc.record({ rule: fc.constant({ fortnightOf: "2026-01-08" }), early: fc.constant(1) }),
);

const calendars = fc.constantFrom(OFFICE, ALWAYS);

test("files that come by a rule have a rhythm by which none of them was missed", () => {
  fc.assert(
    fc.property(
      rules,
      calendars,
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 4, max: 12 }),
      (given, calendar, early, count) => {
        const due = dueDays(given.rule, calendar, "2026-01-01", "2027-02-28").slice(0, count);
        const days = due.map(({ named, day }) => {
          const before = (early.next().value ?? 0) % (given.early + 1);
          return before === 0 ? day : daysLater(named, -before);
        });
        const rhythm = learntRhythm(days, calendar);
        if (typeof rhythm === "string") throw new Error(rhythm);
        expect(rhythm).toMatchObject({ files: count, onTime: count });
        const [first = "", last = ""] = [days[0], days.at(-1)];
        const learnt = dueDays(rhythm.rule, calendar, daysLater(first, -40), daysLater(last, 40));
        for (const came of days)
          expect(
            learnt.some(({ named, day }) => came <= day && daysBetween(came, named) <= rhythm.daysBefore),
          ).toBe(true);
      },
    ),
  );
});

test("what is learnt of any days holds for all of them but one", () => {
  const day = fc.integer({ min: 0, max: 300 }).map((days) => daysLater("2026-01-01", days));
  fc.assert(
    fc.property(fc.array(day, { maxLength: 14 }), calendars, (days, calendar) => {
      const rhythm = learntRhythm(days, calendar);
      if (typeof rhythm === "string") return;
      const learnt = dueDays(rhythm.rule, calendar, "2025-11-01", "2026-12-31");
      const isOnTime = (came: Day) =>
        learnt.some(({ named, day }) => came <= day && daysBetween(came, named) <= rhythm.daysBefore);
      const onTime = new Set(days.filter(isOnTime)).size;
      expect(rhythm.onTime).toBeGreaterThanOrEqual(Math.max(4, rhythm.files - 1));
      expect(onTime).toBeGreaterThanOrEqual(rhythm.onTime);
    }),
  );
});
