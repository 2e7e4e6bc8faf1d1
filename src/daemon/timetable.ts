/** When each job runs: its cron expression and its next slot outside a rest. Starts nothing. */
import { isOnIn, type Job } from "../../jobs/job.ts";
import type { JobTimes } from "../../jobs/times.ts";
import type { Config } from "../config/index.ts";
import type { Instant, Rest } from "../model/index.ts";
import { present } from "../model/present.ts";
import { calendarOf, nextWorkingSlot } from "./slots.ts";

export interface TimetableEntry {
  readonly job: Job["name"];
  /** Cron expression, in the company's time zone. */
  readonly schedule: string;
  readonly nextRunAt: Instant;
  /** Why earlier slots do not do the job's main work. */
  readonly rest?: Rest;
}

export function timetable(config: Config, jobs: readonly JobTimes[]): readonly TimetableEntry[] {
  return jobs.filter(isOnIn(config)).map((job) => {
    const { name } = job;
    const schedule = config.schedule[name];
    const calendar = calendarOf(schedule, config.ledger.timeZone);
    const next = nextWorkingSlot(calendar, (at) => job.restAt?.(config, at)?.until);
    const rest = job.restAt?.(config, new Date().toISOString());
    return { job: name, schedule, nextRunAt: next.toISOString(), ...present({ rest }) };
  });
}
