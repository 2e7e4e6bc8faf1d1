import { describe, expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { nextSlots, timetable } from "../../src/daemon/timetable.ts";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import { workFolder } from "../cli/program.ts";

test("each job is told with its next slot in the company's time zone, and nothing is started", async () => {
  const folder = await workFolder();
  const variables = { PAYDROP_SCHEDULE_RECONCILE: "15 3 * * *", PAYDROP_LEDGER_TIME_ZONE: "Asia/Tokyo" };
  const workplace = openWorkplace(`${folder}/paydrop.yaml`, variables, stderrLog("silent"));
  const entries = timetable(workplace.config, jobs);
  await workplace.close();
  expect(entries.map(({ job }) => job)).toEqual(jobs.map(({ name }) => name));
  const reconcile = entries.find(({ job }) => job === "reconcile");
  expect(reconcile).toMatchObject({ schedule: "15 3 * * *", nextRunAt: expect.stringMatching(/T18:15:00/) });
  for (const { nextRunAt = "" } of entries) expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now() - 1000);
});

describe("on a day when the clocks are set", () => {
  test.each([
    ["forward: right behind the gap", "2027-03-27T12:00:00Z", ["03-28T01:00", "03-29T00:00", "03-30T00:00"]],
    ["back: once, in the first of two hours", "2027-10-30T12:00:00Z", ["10-31T00:00", "11-01T01:00"]],
  ])("a job of two o'clock at night comes as on any other: %s", (_what, from, slots) => {
    const found = nextSlots("0 2 * * *", "Europe/Madrid", slots.length, from);
    expect(found.map((slot) => slot.slice(5, 16))).toEqual(slots);
  });

  test.each([
    ["Europe/Madrid", "2027-03-28"],
    ["Europe/Madrid", "2027-10-31"],
    ["America/St_Johns", "2027-11-07"],
    ["Australia/Lord_Howe", "2027-04-04"],
    ["Pacific/Apia", "2027-04-04"],
  ])("a job of every five minutes never stands still: %s on %s", (timeZone, day) => {
    const noonBefore = Date.parse(`${day}T00:00:00Z`) - 43_200_000;
    const slots = nextSlots("*/5 * * * *", timeZone, 500, new Date(noonBefore).toISOString());
    const expected = slots.map((_, index) => new Date(noonBefore + (index + 1) * 300_000).toISOString());
    expect(slots).toEqual(expected);
    // A scheduler asks from wherever it is.
    for (const slot of slots) expect(nextSlots("*/5 * * * *", timeZone, 1, slot)).toEqual([after(slot)]);
  });
});

function after(slot: string): string {
  return new Date(Date.parse(slot) + 300_000).toISOString();
}
