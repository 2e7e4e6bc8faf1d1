/** Builds the execution policy from the configuration and the stored approvals. */
import { problem } from "../../faults/index.ts";
import { DAY_MS, restText } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { refuseSharedKey } from "../../workplace/agreement.ts";
import { calendarOf } from "../../workplace/calendar.ts";
import { custodyAccountsElsewhere, type Workplace } from "../../workplace/workplace.ts";
import type { Creation, ExecutionPolicy, ExecutionTools } from "../sending/index.ts";
import { callOf } from "./approved-now.ts";
import { type ApprovedBatches, approvedBatches } from "./as-approved.ts";
import { inLane, type LanePolicy } from "./lane.ts";
import { checkPaymentsOnRecord } from "./on-record.ts";
import { spendingLimitsOf } from "./spending-limits.ts";

/** A payout may appear older than its intent by this much, because the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Does `work` as the only sender of `view`, which is one of `workplace.underKeys`. `work` may send only if
 * `approved` is given, and only after `compareAll` and `prepare`. Throws what `refuseSharedKey`, `inLane` and, if
 * it may send, `checkPaymentsOnRecord` throw.
 */
export function inExecutionLane<Result>(
  workplace: Workplace,
  view: Workplace,
  work: (tools: ExecutionTools) => Promise<Result>,
  approved?: ApprovedBatches,
): Promise<Result> {
  refuseSharedKey(workplace);
  const elsewhere = {
    keyIds: workplace.underKeys.flatMap((other) => (other === view ? [] : other.service().keyId)),
    custodyAccounts: custodyAccountsElsewhere(workplace, view),
  };
  return inLane(
    view,
    ({ tools, codes }, lanePolicy) => {
      const policy = executionPolicy(view, lanePolicy, approved ?? approvedBatches(workplace));
      return work({ ...tools, codes, policy: { ...policy, elsewhere } });
    },
    approved && ((store) => checkPaymentsOnRecord(view, store)),
  );
}

function executionPolicy(
  { config, context }: Workplace,
  lanePolicy: LanePolicy,
  approved: ApprovedBatches,
): Omit<ExecutionPolicy, "elsewhere"> {
  const calls = new Map<string, Creation>(
    config.custodyAccounts.map((account) => [account.id, callOf(account, config)]),
  );
  const calendar = calendarOf(config);
  const { window, memoryDays } = config.nonce;
  const { keyId } = lanePolicy;
  return {
    ...lanePolicy,
    creationOf: (custodyAccount) => calls.get(custodyAccount),
    openedAt: context.clock.now(),
    concurrency: config.http.concurrency,
    settleMs: config.doubt.settleMinutes * 60_000,
    ...present({ nonceWindow: window, nonceMemoryMs: memoryDays && memoryDays * DAY_MS }),
    outageMs: config.http.outageSeconds * 1000,
    recognition: { correlation: config.service.correlation, clockSkewMs: CLOCK_SKEW_MS },
    ...spendingLimitsOf(config),
    whyResting: (at, asks) => {
      const rest = calendar.restAt(at, asks);
      return rest && problem("SENDING_RESTS", { reason: restText(rest, calendar.timeZone) });
    },
    prepare: approved.prepare,
    whyNotReleased: (instruction, call, at, stamps) => {
      const { custodyAccountId } = instruction.fields;
      return approved.whyNotReleased(instruction, { ...call, custodyAccountId, keyId }, at, stamps);
    },
  };
}
