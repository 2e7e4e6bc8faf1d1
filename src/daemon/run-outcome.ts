/** How a job's run ended, as stored, logged and shown to monitors. */
import { Fault } from "../faults/index.ts";
import type { LastRun } from "../store/runs.ts";

export function described(error: unknown): { readonly code?: string; readonly message: string } {
  if (error instanceof Fault) return { code: error.problem.code, message: error.problem.message };
  return { message: error instanceof Error ? error.message : String(error) };
}

/** Machines that share a database have the same slots; work that only one may do is left to the one doing it. */
const DONE_ELSEWHERE: ReadonlySet<unknown> = new Set([
  "LANE_TAKEN",
  "EXPORT_UNDER_WAY",
  "RECONCILE_UNDER_WAY",
]);

export function isDoneElsewhere(error: unknown): boolean {
  return error instanceof Fault && DONE_ELSEWHERE.has(error.problem.code);
}

/** The jobs whose last run did not end well, each with its code. */
export function wrongRuns(runs: readonly LastRun[]): { readonly job: string; readonly code: unknown }[] {
  return runs
    .filter(wentWrong)
    .map(({ job, outcome = {} }) => ({ job, code: outcome["code"] ?? UNEXPECTED }));
}

/** The code of a failure without one. */
export const UNEXPECTED = "UNEXPECTED";

/** Whether a run failed or did only part of its work (a stop order, an outage, a file not taken in). */
export function wentWrong({ outcome = {} }: LastRun): boolean {
  const { code } = outcome;
  return outcome["outcome"] === "failed" || (code !== undefined && !DONE_ELSEWHERE.has(code));
}
