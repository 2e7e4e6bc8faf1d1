/** The options and the report of one run of a lane. */
import type { Problem } from "../../faults/index.ts";
import type { BatchId, Instruction, Outcome } from "../../model/index.ts";
import type { Resolution } from "./doubts/doubt.ts";
import type { OutcomeCounts } from "./tally.ts";

export interface ExecutionOptions {
  /** On abort nothing more is sent; requests in flight are awaited. */
  readonly signal?: AbortSignal;
  /** Sends only this batch's due payments; doubts of all batches are looked up regardless. */
  readonly batch?: BatchId;
  /** Whether the run was started by the scheduler: then repeated doubts pause new creations (between-runs.ts). */
  readonly isScheduled?: boolean;
  /** Only looks doubts up; sends nothing. */
  readonly looksOnly?: boolean;
  /** `atLeastMs`: a lower bound for the run's duration, from the spacing of one-time codes. */
  readonly onStart?: (due: number, atLeastMs: number) => void;
  readonly onPause?: (pause: Pause) => void;
  readonly onSubmitted?: (instruction: Instruction, outcome: Outcome) => void;
}

/** Nothing is sent meanwhile. */
export interface Pause {
  readonly why: "service asks for it" | "service is out";
  /** An outage may end earlier. */
  readonly milliseconds: number;
}

/** The counts are as of the end of the run, after its last look. */
export interface ExecutionReport extends OutcomeCounts {
  /** How many instructions were due when the run began. */
  readonly due: number;
  readonly postponed: number;
  /** The result for each doubt, from this run or an earlier one. */
  readonly resolutions: readonly Resolution[];
  /** Why the run ended before everything due was sent. */
  readonly stopped?: Problem;
  readonly problems: readonly Problem[];
}
