/** When each job runs: its cron expression and next slot. Starts nothing. */
import type { Job } from "../../jobs/job.ts";
import type { Config } from "../config/index.ts";
import type { Instant } from "../model/index.ts";
import { calendarOf, nextSlot } from "./slots.ts";

export interface TimetableEntry {
  readonly job: Job["name"];
  /** Cron expression, in the company's time zone. */
  readonly schedule: string;
  readonly nextRunAt: Instant;
}

export function timetable(
  config: Pick<Config, "schedule" | "ledger">,
  jobs: readonly Job[],
): readonly TimetableEntry[] {
  return jobs.map(({ name }) => {
    const schedule = config.schedule[name];
    const next = nextSlot(calendarOf(schedule, config.ledger.timeZone));
    return { job: name, schedule, nextRunAt: next.toISOString() };
  });
}
