/** Sends what is approved and due, as the only sender of each key; several keys send side by side. */
import { type ExecutionOptions, type ExecutionReport, execute } from "../execution/index.ts";
import { inExecutionLane } from "./execution-policy.ts";
import type { Workplace } from "./workplace.ts";

/**
 * Throws LANE_TAKEN while another process pays, AUDIT_CHAIN_BROKEN, or a SERVICE_ fault: the first key's that has one, after all
 * keys have come to their end.
 */
export async function payStep(
  workplace: Workplace,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  const ofAll = addedUp(options);
  const runs = await Promise.allSettled(
    workplace.underKeys.map((view) => inExecutionLane(workplace, view, (tools) => execute(tools, ofAll))),
  );
  return together(
    runs.map((run) => {
      if (run.status === "rejected") throw run.reason;
      return run.value;
    }),
  );
}

/** What is due, and how long it takes, is told as a whole, however many keys tell it. */
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

/** The first key that stopped says why; why others did is among the problems. */
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
    postponed: sum(({ postponed }) => postponed),
    resolutions: reports.flatMap(({ resolutions }) => resolutions),
    ...(stopped === undefined ? {} : { stopped }),
    problems: [...reports.flatMap(({ problems }) => problems), ...alsoStopped],
  };
}
