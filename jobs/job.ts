/** A scheduled job: its name and the pipeline step that it runs. `schedule.NAME` of the configuration says when. */
import type { Config } from "../src/config/index.ts";
import type { LogFields } from "../src/context/log.ts";
import type { Instant, Rest } from "../src/model/index.ts";
import type { Workplace } from "../src/workplace/workplace.ts";

export interface Job {
  readonly name: keyof Config["schedule"];
  /**
   * If a slot failed, or passed while no daemon ran, the job runs before its next slot. For jobs that send nothing
   * and have long intervals.
   */
  readonly catchesUp?: true;
  /** Whether the configuration enables the job; by default it does. */
  isOn?(config: Config): boolean;
  /** Why a slot at `at` does not do the job's main work, and until when; undefined if it does. */
  restAt?(config: Config, at: Instant): Rest | undefined;
  /** Runs one slot and returns its result. `signal` aborts when the daemon stops. */
  run(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
  /**
   * Runs instead when a machine that shares the database wakes the job (store/wake.ts). Without it no machine wakes
   * the job.
   */
  wake?(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
  /**
   * Runs instead when a hint comes before the slot; by default `run`. It must send no payment, because a callback
   * is only a hint, and anybody may send one.
   */
  look?(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
}

/** Filters a list of jobs: those that the configuration enables. */
export function isOnIn(config: Config): (job: Pick<Job, "isOn">) => boolean {
  return ({ isOn }) => isOn?.(config) ?? true;
}
