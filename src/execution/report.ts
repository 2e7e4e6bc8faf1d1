/** What a run of the lane is told, and what it tells. */
import type { Problem } from "../faults/index.ts";
import type { BatchId, Instruction, Outcome } from "../model/index.ts";
import type { Resolution } from "./doubts/doubt.ts";
import type { Figures } from "./tally.ts";

export interface ExecutionOptions {
  /** When it aborts, nothing more is sent; what is on its way is awaited. */
  readonly signal?: AbortSignal;
  /** Sends only what is due of this batch; doubts of all batches are looked for all the same. */
  readonly batch?: BatchId;
  /** Nobody stands by: while the latest creations all ended in doubt, new ones are tried less and less often (between-runs.ts). */
  readonly isScheduled?: boolean;
  /** Doubts are looked for, and nothing is sent. */
  readonly looksOnly?: boolean;
  /** `atLeastMs`: how long the one-time codes alone will make it last. */
  readonly onStart?: (due: number, atLeastMs: number) => void;
  readonly onSubmitted?: (instruction: Instruction, outcome: Outcome) => void;
}

/** Figures are those at the end of the run, after its last look. */
export interface ExecutionReport extends Figures {
  /** How many instructions were due when the run began. */
  readonly due: number;
  readonly postponed: number;
  /** What became of doubts, of this run's and of earlier ones. */
  readonly resolutions: readonly Resolution[];
  /** Why the run ended before everything due was sent. */
  readonly stopped?: Problem;
  readonly problems: readonly Problem[];
}
