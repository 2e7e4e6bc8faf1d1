/** Date-times: every form of an instant reads as the same UTC text, and a day that does not exist is refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { dateTime } from "../../src/wire/index.ts";

const HOUR_MS = 3_600_000;
const instants = fc.date({
  min: new Date("0001-01-02T00:00:00.000Z"),
  max: new Date("9999-12-30T23:59:59.999Z"),
  noInvalidDate: true,
});

test("an instant reads as the same UTC text in every form and zone", () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -12, max: 14 }), (instant, offsetHours) => {
      const utc = instant.toISOString();
      const local = new Date(instant.getTime() + offsetHours * HOUR_MS).toISOString().slice(0, -1);
      const hours = `${offsetHours < 0 ? "-" : "+"}${String(Math.abs(offsetHours)).padStart(2, "0")}`;
      const forms = [utc, utc.replace("Z", "+0000"), `${local}${hours}00`, `${local}${hours}:00`];
      for (const form of [...forms, `${local}000${hours}:00`]) expect(dateTime.parse(form)).toBe(utc);
    }),
  );
});

test.each([
  ["2024-02-29T09:30:00.000Z", true],
  ["2026-02-29T09:30:00.000Z", false],
  ["2026-02-30T09:30:00.000+0100", false],
  ["2026-04-31T09:30:00Z", false],
  ["2026-12-31T23:59:59.999Z", true],
  ["2026-00-10T09:30:00.000Z", false],
  ["2026-01-00T09:30:00.000Z", false],
  ["2026-01-10T24:00:00.001Z", false],
  ["2026-01-10T09:60:00.000Z", false],
  ["9999-12-31T23:59:59.999-05:00", false],
  ["0000-01-01T00:00:00.000+05:00", false],
])("%s is an instant: %s, and is never moved to another day", (written, isInstant) => {
  expect(dateTime.safeParse(written).success).toBe(isInstant);
});
