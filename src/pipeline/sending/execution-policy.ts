/** Builds the execution policy from the configuration and the stored approvals. */
import { approvalEnds, approvedSince } from "../../approval/index.ts";
import type { Config } from "../../config/index.ts";
import type { Creation, ExecutionPolicy, ExecutionTools, SpendingLimits } from "../../execution/index.ts";
import { type BatchId, DAY_MS, dayIn, type Instant } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { getBatch, listApprovals } from "../../store/batches.ts";
import { refuseSharedKey } from "../workplace/agreement.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";
import { inLane, type LanePolicy } from "./lane.ts";

/** A payout may appear older than its intent by this much, because the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Does `work` as the only sender of `view`, one of `workplace.underKeys`. Throws what `refuseSharedKey` and `inLane` throw. */
export function inExecutionLane<Result>(
  workplace: Workplace,
  view: Workplace,
  work: (tools: ExecutionTools) => Promise<Result>,
): Promise<Result> {
  refuseSharedKey(workplace);
  const elsewhere = {
    keyIds: workplace.underKeys.flatMap((other) => (other === view ? [] : other.service().keyId)),
    custodyAccounts: custodyAccountsElsewhere(workplace, view),
  };
  return inLane(view, ({ tools, codes }, lanePolicy) =>
    work({ ...tools, codes, policy: { ...executionPolicy(view, lanePolicy), elsewhere } }),
  );
}

function executionPolicy(
  { config, context }: Workplace,
  lanePolicy: LanePolicy,
): Omit<ExecutionPolicy, "elsewhere"> {
  const { rules, validDays } = config.approval;
  /** Since when batches have been approved. Approvals are never taken back, so only missing ones are read again. */
  const approved = new Map<BatchId, Instant>();
  const creations = new Map<string, Creation>(
    config.custodyAccounts.map(({ id, createOperation: operation, authorize }) => [
      id,
      { operation, authorize },
    ]),
  );
  const { window, memoryDays } = config.nonce;
  return {
    ...lanePolicy,
    creationOf: (custodyAccount) => creations.get(custodyAccount),
    openedAt: context.clock.now(),
    concurrency: config.http.concurrency,
    settleMs: config.doubt.settleMinutes * 60_000,
    ...present({ nonceWindow: window, nonceMemoryMs: memoryDays && memoryDays * DAY_MS }),
    outageMs: config.http.outageSeconds * 1000,
    recognition: { correlation: config.service.correlation, clockSkewMs: CLOCK_SKEW_MS },
    ...spendingLimitsOf(config),
    *approvalEnds(id, payOn) {
      const since = approved.get(id) ?? approvedSince(yield* getBatch(id), yield* listApprovals(id), rules);
      if (since === undefined) return undefined;
      approved.set(id, since);
      return approvalEnds(since, payOn, validDays);
    },
  };
}

/** How much may be sent at once and on a day, and which day it is. */
export function spendingLimitsOf({ limits, ledger }: Pick<Config, "limits" | "ledger">): SpendingLimits {
  return {
    limitPerRow: limits.perRow,
    limitPerDay: limits.perDay,
    limitPerDestination: limits.perDestination,
    dayOf: (instant) => dayIn(ledger.timeZone, instant),
  };
}
