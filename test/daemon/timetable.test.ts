import { expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { jobTimes } from "../../jobs/times.ts";
import { timetable } from "../../src/daemon/index.ts";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import { workFolder } from "../cli/program.ts";

test("the schedule is that of the jobs which run", () => {
  const ofJobs = jobs.map(({ name, catchesUp, isOn, restAt }) => ({ name, catchesUp, isOn, restAt }));
  expect(jobTimes.map(({ name, catchesUp, isOn, restAt }) => ({ name, catchesUp, isOn, restAt }))).toEqual(
    ofJobs,
  );
});

test("each job is listed with its next slot in the company's time zone, and nothing is started", async () => {
  const folder = await workFolder();
  const variables = { PAYDROP_SCHEDULE_RECONCILE: "15 3 * * *", PAYDROP_LEDGER_TIME_ZONE: "Asia/Tokyo" };
  const workplace = openWorkplace(`${folder}/paydrop.yaml`, variables, stderrLog("silent"));
  const entries = timetable(workplace.config, jobs);
  await workplace.close();
  expect(entries.map(({ job }) => job)).toEqual(
    jobs.filter(({ isOn }) => isOn === undefined).map(({ name }) => name),
  );
  const reconcile = entries.find(({ job }) => job === "reconcile");
  expect(reconcile).toMatchObject({ schedule: "15 3 * * *", nextRunAt: expect.stringMatching(/T18:15:00/) });
  for (const { nextRunAt = "" } of entries) expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now() - 1000);
});
