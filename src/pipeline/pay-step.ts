/** Sends what is approved and due, as the only sender of each key; several keys send side by side. */
import {
  type ExecutionOptions,
  type ExecutionReport,
  execute,
  resolveEarlierChanges,
} from "../execution/index.ts";
import { Fault, type Problem, serviceProblem } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { inExecutionLane } from "./sending/execution-policy.ts";
import { doubtWhatWasLeftBehind } from "./sending/left-behind.ts";
import type { Workplace } from "./workplace/workplace.ts";

/**
 * Pays under all keys and waits for all of them. Where every key failed, throws the error of the first one: LANE_TAKEN while another process
 * pays, AUDIT_CHAIN_BROKEN, or a SERVICE_ fault. Where some keys failed, their faults stand in the report as reasons why they stopped.
 */
export async function payStep(
  workplace: Workplace,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  await doubtWhatWasLeftBehind(workplace);
  const ofAll = addedUp(options);
  const runs = await Promise.allSettled(workplace.underKeys.map((view) => payUnder(workplace, view, ofAll)));
  const isNothingToReport = runs.every(({ status }) => status === "rejected");
  return together(
    runs.map((run): ExecutionReport => {
      if (run.status === "fulfilled") return run.value;
      if (isNothingToReport || !(run.reason instanceof Fault)) throw run.reason;
      return { ...together([]), stopped: run.reason.problem };
    }),
  );
}

/** Deposits in doubt are looked for first. When the service cannot be asked about them, that is reported and payments go out all the same. */
function payUnder(
  workplace: Workplace,
  view: Workplace,
  options: ExecutionOptions,
): Promise<ExecutionReport> {
  return inExecutionLane(workplace, view, async (tools) => {
    const obstacle = await whyNotLooked(() => resolveEarlierChanges(tools));
    const report = await execute(tools, options);
    return obstacle === undefined ? report : { ...report, problems: [...report.problems, obstacle] };
  });
}

async function whyNotLooked(look: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await look();
    return undefined;
  } catch (error) {
    const problem = serviceProblem(error);
    if (problem === undefined) throw error;
    return problem;
  }
}

/** Options whose `onStart` is told the sum of what is due under all keys so far, and the longest of their durations. */
function addedUp(options: ExecutionOptions): ExecutionOptions {
  let dueInAll = 0;
  let longestMs = 0;
  return {
    ...options,
    onStart: (due, atLeastMs) => {
      dueInAll += due;
      longestMs = Math.max(longestMs, atLeastMs);
      options.onStart?.(dueInAll, longestMs);
    },
  };
}

/** The reports of all keys as one. `stopped` is that of the first key that stopped; those of the others are among the problems. */
function together(reports: readonly ExecutionReport[]): ExecutionReport {
  const sum = (count: (report: ExecutionReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const [stopped, ...alsoStopped] = reports.flatMap((report) => report.stopped ?? []);
  return {
    due: sum(({ due }) => due),
    accepted: sum(({ accepted }) => accepted),
    refused: sum(({ refused }) => refused),
    inDoubt: sum(({ inDoubt }) => inDoubt),
    notSent: sum(({ notSent }) => notSent),
    held: sum(({ held }) => held),
    doubtedOnTheWay: sum(({ doubtedOnTheWay }) => doubtedOnTheWay),
    postponed: sum(({ postponed }) => postponed),
    resolutions: reports.flatMap(({ resolutions }) => resolutions),
    ...present({ stopped }),
    problems: [...reports.flatMap(({ problems }) => problems), ...alsoStopped],
  };
}
