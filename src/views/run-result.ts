/** Whether a scheduled job's run ended well, judged by its stored result. */
import { Fault } from "../faults/index.ts";
import type { LastRun } from "../store/runs.ts";

/** Machines that share a database start jobs at the same times; work for only one is left to the one doing it. */
const DONE_ELSEWHERE: ReadonlySet<unknown> = new Set(["LANE_TAKEN", "UNDER_WAY"]);

export function isDoneElsewhere(error: unknown): boolean {
  return error instanceof Fault && DONE_ELSEWHERE.has(error.problem.code);
}

/** Used as the code of a failure that has none. */
export const UNEXPECTED = "UNEXPECTED";

/** The jobs whose run did not end well, each with its code. */
export function wrongRuns(runs: readonly LastRun[]): { readonly job: string; readonly code: unknown }[] {
  return runs.map((run) => ({ job: run.job, code: whyWrong(run) })).filter(({ code }) => code !== undefined);
}

/**
 * The code of a run that failed or did only part of its work (an outage, a file not taken in); undefined if it went
 * well.
 */
export function whyWrong({ outcome = {} }: Pick<LastRun, "outcome">): unknown {
  const { code } = outcome;
  if (outcome["outcome"] === "failed") return code ?? UNEXPECTED;
  return DONE_ELSEWHERE.has(code) ? undefined : code;
}
