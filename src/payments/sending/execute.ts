/**
 * One run of a lane. It marks submissions that an earlier run left open as in doubt, looks up doubts, sends the due
 * payments, and looks again. A payment that the service already has is held, not sent. The caller holds the lane.
 */
import { fault, problem } from "../../faults/index.ts";
import { lookByIds } from "../../observation/index.ts";
import { findSeenElsewhere } from "../../store/visibility.ts";
import { passOverUsedCode } from "./creation-code.ts";
import { doubtInterrupted } from "./doubts/doubt.ts";
import type { ExecutionOptions, ExecutionReport } from "./report.ts";
import { Run } from "./run.ts";
import type { ExecutionTools } from "./tools.ts";

/**
 * Runs the lane once; with `looksOnly` it sends nothing. Throws ANOTHER_SERVICE. A SERVICE_ fault is thrown before the
 * first send, and afterwards ends the run and is reported. Any other fault is thrown once everything in flight has
 * ended.
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
  if (later === undefined) return withPauseLifted(run.report(earlier));
  const resolvedBefore = earlier.filter(({ now }) => now !== "in doubt");
  return withPauseLifted(run.report([...resolvedBefore, ...later]));
}

/** The report; if the last look resolved the doubt that paused the lane, it says that the next run sends the rest. */
function withPauseLifted(report: ExecutionReport): ExecutionReport {
  const isDoubted = report.inDoubt > 0 || report.resolutions.some(({ now }) => now === "in doubt");
  if (report.stopped?.code !== "LANE_PAUSED" || isDoubted) return report;
  return { ...report, stopped: problem("LANE_FREE_AGAIN", {}) };
}

/**
 * After a change of `service.baseUrl`: is it the same service at a new address, or another one? Payouts made in the
 * wrong one would look paid here without being paid, and a trial might pay for real. Throws ANOTHER_SERVICE if a new
 * address does not show the payout paid last, and SERVICE_ faults.
 */
async function checkSameService({ policy, ...tools }: ExecutionTools): Promise<void> {
  const { store, gateway } = tools;
  const { baseUrl } = gateway;
  const seen = await store.read(() => findSeenElsewhere(policy.keyId, baseUrl));
  if (seen === undefined) return;
  const { payoutId, baseUrl: before } = seen;
  const shown = await lookByIds(tools, [payoutId]);
  if (!shown.some((payout) => payout.payoutId === payoutId))
    throw fault("ANOTHER_SERVICE", { baseUrl, before, payoutId }, { key: "service.baseUrl" });
}
