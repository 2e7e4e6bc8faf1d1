/** A scheduled job: its name and the pipeline step that it runs. `schedule.NAME` of the configuration says when. */
import type { Config } from "../src/config/index.ts";
import type { LogFields } from "../src/context/log.ts";
import type { Instant, Rest } from "../src/model/index.ts";
import type { Workplace } from "../src/workplace/workplace.ts";

export interface Job {
  readonly name: keyof Config["schedule"];
  /**
   * A slot that failed, or passed while no daemon ran, is run before the next one. For jobs that send nothing and whose
   * next slot is far away.
   */
  readonly catchesUp?: true;
  /** Whether the configuration wants it at all; by default it does. */
  isOn?(config: Config): boolean;
  /** Why a slot at `at` does not do what the job is for, and until when; undefined if it does. */
  restAt?(config: Config, at: Instant): Rest | undefined;
  /** Runs one slot and says what it did. `signal` aborts when the daemon stops. */
  run(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
  /** What it does when a machine that shares the database wakes it (store/wake.ts). Without it nothing wakes it. */
  wake?(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
  /**
   * What a hint makes it do before its slot; by default everything. It must send no payment: a callback is a hint, and
   * anybody may send one.
   */
  look?(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
}

/** For a list of jobs: those that the configuration wants. */
export function isOnIn(config: Config): (job: Pick<Job, "isOn">) => boolean {
  return ({ isOn }) => isOn?.(config) ?? true;
}
