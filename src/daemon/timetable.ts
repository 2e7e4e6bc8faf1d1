/** When each job runs: its expression, as configured or by default, and the next slot. Nothing is started by asking. */
import { Cron } from "croner";
import type { Job } from "../../jobs/job.ts";
import type { Config } from "../config/index.ts";
import type { Instant } from "../model/index.ts";
import { present } from "../model/present.ts";

export interface TimetableEntry {
  readonly job: Job["name"];
  /** Cron expression, in the company's time zone. */
  readonly schedule: string;
  /** Absent where it never comes. */
  readonly nextRunAt?: Instant;
}

export function scheduleOf({ schedule }: Pick<Config, "schedule">, job: Job): string {
  return schedule[job.name] ?? job.defaultSchedule;
}

export function timetable(
  config: Pick<Config, "schedule" | "ledger">,
  jobs: readonly Job[],
): readonly TimetableEntry[] {
  return jobs.map((job) => {
    const schedule = scheduleOf(config, job);
    const [next] = nextSlots(schedule, config.ledger.timeZone, 1);
    return { job: job.name, schedule, ...present({ nextRunAt: next }) };
  });
}

/**
 * The slots that come next, after `from` or now. Where the clock is set forward over a time of day, that slot comes right behind the gap; where
 * it is set back, it comes once, and "every five minutes" goes on through both hours.
 */
export function nextSlots(schedule: string, timeZone: string, count: number, from?: Instant): Instant[] {
  const slots = new Cron(schedule, { timezone: timeZone, paused: true });
  return slots.nextRuns(count, from).map((slot) => slot.toISOString());
}
