/** When each job runs: its cron expression and next slot. Starts nothing. */
import cron from "node-cron";
import type { Job } from "../../jobs/job.ts";
import type { Config } from "../config/index.ts";
import type { Instant } from "../model/index.ts";
import { present } from "../model/present.ts";

export interface TimetableEntry {
  readonly job: Job["name"];
  /** Cron expression, in the company's time zone. */
  readonly schedule: string;
  /** Absent if there is none. */
  readonly nextRunAt?: Instant;
}

export function timetable(
  config: Pick<Config, "schedule" | "ledger">,
  jobs: readonly Job[],
): readonly TimetableEntry[] {
  return jobs.map(({ name }) => {
    const schedule = config.schedule[name];
    const task = cron.createTask(schedule, () => undefined, { timezone: config.ledger.timeZone });
    const [next] = task.getNextRuns(1);
    return { job: name, schedule, ...present({ nextRunAt: next?.toISOString() }) };
  });
}
