/**
 * One run of a lane: mark submissions that an earlier run left open, resolve doubts, send approved and due
 * payments, then look at the result. The caller holds the lane. Looking comes before sending: a payment that the
 * service already has is held, not sent.
 */
import { problem } from "../../faults/index.ts";
import { passOverUsedCode } from "./creation-code.ts";
import { doubtInterrupted } from "./doubts/doubt.ts";
import type { ExecutionOptions, ExecutionReport } from "./report.ts";
import { Run } from "./run.ts";
import { checkSameService } from "./same-service.ts";
import type { ExecutionTools } from "./tools.ts";

/**
 * Runs the lane once; sends nothing with `looksOnly`. Throws ANOTHER_SERVICE, and a SERVICE_ fault if the service
 * cannot be asked before the first send; after it, the same fault ends the run and is reported. Any other fault is
 * thrown once everything in flight has ended.
 */
export async function execute(
  tools: ExecutionTools,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  await doubtInterrupted(tools);
  if (options.looksOnly !== true) await checkSameService(tools);
  await passOverUsedCode(tools);
  const run = new Run(tools, options);
  const earlier = await run.resolveDoubts();
  if (options.looksOnly !== true) await run.sendAll();
  // An aborted run skips the looks; the next run makes them.
  const later = options.signal?.aborted === true ? undefined : await run.lookAgain();
  const settledBefore = earlier.filter(({ now }) => now !== "in doubt" || later === undefined);
  return freeAgain(run.report([...settledBefore, ...(later ?? [])]));
}

/** If the last look resolved the doubt that paused the lane, no person is needed: the next run sends the rest. */
function freeAgain(report: ExecutionReport): ExecutionReport {
  const isDoubted = report.inDoubt > 0 || report.resolutions.some(({ now }) => now === "in doubt");
  if (report.stopped?.code !== "LANE_PAUSED" || isDoubted) return report;
  return { ...report, stopped: problem("LANE_FREE_AGAIN", {}) };
}
