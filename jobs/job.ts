/** A scheduled job: its name, when it runs by default, and the pipeline step that it runs. */
import type { LogFields } from "../src/context/log.ts";
import type { Workplace } from "../src/pipeline/workplace/workplace.ts";

export interface Job {
  readonly name: "intake" | "pay" | "track" | "reconcile" | "ledger";
  /** Cron expression in the company's time zone; `schedule.NAME` of the configuration overrides it. */
  readonly defaultSchedule: string;
  /** Nothing leaves by it and its next slot is far: one that failed, or passed while nobody served, is run before it. */
  readonly madeUpFor?: true;
  /** Runs one slot and says what it did. `signal` aborts when the daemon stops. */
  run(workplace: Workplace, signal: AbortSignal): Promise<LogFields>;
}
