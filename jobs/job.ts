/** A scheduled job: its name and the pipeline step that it runs. `schedule.NAME` of the configuration says when. */
import type { Config } from "../src/config/index.ts";
import type { LogFields } from "../src/context/log.ts";
import type { Workplace } from "../src/pipeline/workplace/workplace.ts";

export interface Job {
  readonly name: keyof Config["schedule"];
  /** Nothing leaves by it and its next slot is far: one that failed, or passed while nobody served, is run before it. */
  readonly madeUpFor?: true;
  /** Runs one slot and says what it did. `signal` aborts when the daemon stops. */
  run(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
  /** What is done before the slot where something hints at it; absent: all of it. Whoever can hint must not bring about a payment. */
  look?(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
}
