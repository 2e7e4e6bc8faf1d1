/** Sends payments that are approved and due, as the only sender of each key; several keys send in parallel. */

import { Fault, isOfService, isProblem, orProblem } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type ApprovedBatches, approvedBatches } from "./run/as-approved.ts";
import { checkDaySums } from "./run/day-sums.ts";
import { divideKeys, payDivided } from "./run/divided-keys.ts";
import { inExecutionLane } from "./run/execution-policy.ts";
import { doubtLeftBehind } from "./run/lane.ts";
import {
  type ExecutionOptions,
  type ExecutionReport,
  type ExecutionTools,
  execute,
  resolveEarlierChanges,
} from "./sending/index.ts";

/**
 * Pays under all keys and waits for all of them. Throws BATCH_ALTERED, or APPROVAL_UNFIT, before anything is sent.
 * If every key failed, throws the first one's error: LANE_TAKEN while another process pays, AUDIT_CHAIN_BROKEN, or
 * a SERVICE_ fault. If only some failed, the report gives their faults as the reasons why they stopped.
 */
export async function payStep(
  workplace: Workplace,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  return payUnderKeys(workplace, options, (pay) => Promise.allSettled(workplace.underKeys.map(pay)));
}

/**
 * As `payStep`, for the daemon of one of several machines: pays under its share of the keys, and under those that
 * no other machine works with. With `isWoken` it does nothing if it has no share.
 */
export async function paySharedStep(
  workplace: Workplace,
  signal: AbortSignal,
  isWoken: boolean,
): Promise<ExecutionReport> {
  const keys = await divideKeys(workplace);
  if (isWoken && keys.own.length === 0) return mergeReports([]);
  return payUnderKeys(workplace, { signal, isScheduled: true }, (pay) =>
    payDivided(keys, workplace.context, { signal, isWoken }, pay),
  );
}

async function payUnderKeys(
  workplace: Workplace,
  options: ExecutionOptions,
  payAll: (
    pay: (view: Workplace) => Promise<ExecutionReport>,
  ) => Promise<PromiseSettledResult<ExecutionReport>[]>,
): Promise<ExecutionReport> {
  await checkAgreement(workplace);
  const approved = approvedBatches(workplace);
  await approved.compareAll();
  await checkDaySums(workplace);
  await doubtLeftBehind(workplace);
  const ofAll = addedUp(options);
  const runs = await payAll((view) => payUnder(workplace, view, approved, ofAll));
  const isNothingToReport = runs.every(({ status }) => status === "rejected");
  return mergeReports(
    runs.map((run): ExecutionReport => {
      if (run.status === "fulfilled") return run.value;
      if (isNothingToReport || !(run.reason instanceof Fault)) throw run.reason;
      return { ...mergeReports([]), stopped: run.reason.problem };
    }),
  );
}

/** First looks up deposits in doubt. If that fails because the service does not answer, payments still go out. */
function payUnder(
  workplace: Workplace,
  view: Workplace,
  approved: ApprovedBatches,
  options: ExecutionOptions,
): Promise<ExecutionReport> {
  const work = async (tools: ExecutionTools) => {
    const looked = await orProblem(() => resolveEarlierChanges(tools), isOfService);
    const report = await execute(tools, options);
    return isProblem(looked) ? { ...report, problems: [...report.problems, looked] } : report;
  };
  return inExecutionLane(workplace, view, work, approved);
}

/** Wraps `onStart` to add up the due payments of all keys and pass on the longest duration. */
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

/**
 * Merges the reports of all keys. The reason of the first key that stopped becomes `stopped`; the others become
 * problems.
 */
function mergeReports(reports: readonly ExecutionReport[]): ExecutionReport {
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
