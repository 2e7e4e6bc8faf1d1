/** The policy that execution works by, from the configuration and the stored approvals. */
import { type ApprovalRule, approvalEnds, approvedSince } from "../../approval/index.ts";
import type { Config } from "../../config/index.ts";
import type { Creation, ExecutionPolicy, ExecutionTools } from "../../execution/index.ts";
import { type BatchId, DAY_MS, dayIn, type Instant } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { listApprovals, listBatches } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";
import { inLane, type LanePolicy } from "./lane.ts";

/** A payout that is found may be older than its intent by so much, because the service's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Does `work` as the only sender of the client key of `view`, one of `workplace.underKeys`. Throws what `inLane` throws. */
export function inExecutionLane<Result>(
  workplace: Workplace,
  view: Workplace,
  work: (tools: ExecutionTools) => Promise<Result>,
): Promise<Result> {
  const elsewhere = {
    keyIds: workplace.underKeys.flatMap((other) => (other === view ? [] : other.service().keyId)),
    custodyAccounts: custodyAccountsElsewhere(workplace, view),
  };
  return inLane(view, async ({ tools, codes }, lanePolicy) =>
    work({ ...tools, codes, policy: { ...(await executionPolicy(view, lanePolicy)), elsewhere } }),
  );
}

async function executionPolicy(
  { store, config, context }: Workplace,
  lanePolicy: LanePolicy,
): Promise<Omit<ExecutionPolicy, "elsewhere">> {
  const releasedAt = await store.read(() => releaseInstants(config.approval.rules));
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
    recognition: recognitionOf(config),
    limitPerDay: config.limits.perDay,
    limitPerDestination: config.limits.perDestination,
    dayOf: (instant) => dayIn(config.ledger.timeZone, instant),
    approvalEnds: (batch, payOn) => {
      const approvedAt = releasedAt.get(batch);
      return approvedAt === undefined
        ? undefined
        : approvalEnds(approvedAt, payOn, config.approval.validDays);
    },
  };
}

/** How a payout at the service is recognised as one of ours. */
export function recognitionOf({ service }: Pick<Config, "service">): ExecutionPolicy["recognition"] {
  return { correlation: service.correlation, clockSkewMs: CLOCK_SKEW_MS };
}

/** Since when each batch has had enough approvals by today's rules; batches without enough are left out. */
function* releaseInstants(rules: readonly ApprovalRule[]): Transaction<Map<BatchId, Instant>> {
  const instants = new Map<BatchId, Instant>();
  for (const { id, controlTotals } of yield* listBatches()) {
    const since = approvedSince(controlTotals, yield* listApprovals(id), rules);
    if (since !== undefined) instants.set(id, since);
  }
  return instants;
}
