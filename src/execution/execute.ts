/**
 * One run of the lane: settle what an earlier run left behind, then send what is approved and due, then look at what came of it.
 * The caller holds the lane's lock. Looking comes before sending: what the service already has is held, not sent.
 */
import { problem } from "../faults/index.ts";
import { passOverUsedCode } from "./creation-code.ts";
import { doubtWhatWasUnderWay } from "./doubts/doubt.ts";
import type { ExecutionOptions, ExecutionReport } from "./report.ts";
import { Run } from "./run.ts";
import { checkSameService } from "./same-service.ts";
import type { ExecutionTools } from "./tools.ts";

/**
 * Sends everything that is due, unless it shall only look. Throws ANOTHER_SERVICE, and a SERVICE_ fault when the service cannot be asked before the first send; later the
 * same fault ends the run and is reported, because by then there is something to report. Throws any other fault after what
 * is on its way was awaited.
 */
export async function execute(
  tools: ExecutionTools,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  await doubtWhatWasUnderWay(tools);
  if (options.looksOnly !== true) await checkSameService(tools);
  await passOverUsedCode(tools);
  const run = new Run(tools, options);
  const earlier = await run.resolveDoubts();
  if (options.looksOnly !== true) await run.sendAll();
  // Whoever ends a run does not wait for looks, which the next one makes as well.
  const goesOn = options.signal?.aborted !== true;
  const looksAgain = goesOn && run.sawDoubt;
  const later = looksAgain ? await run.unlessServiceIsOut(() => run.resolveDoubts()) : undefined;
  if (goesOn) await run.unlessServiceIsOut(() => run.lookForAccepted());
  const settledBefore = earlier.filter(({ now }) => now !== "in doubt" || later === undefined);
  return freeAgain(run.report([...settledBefore, ...(later ?? [])]));
}

/** A lane that paused for a doubt which the last look has ended needs nobody: what waits behind it goes out in the next run. */
function freeAgain(report: ExecutionReport): ExecutionReport {
  const isDoubted = report.inDoubt > 0 || report.resolutions.some(({ now }) => now === "in doubt");
  if (report.stopped?.code !== "LANE_PAUSED" || isDoubted) return report;
  return { ...report, stopped: problem("LANE_FREE_AGAIN", {}) };
}
