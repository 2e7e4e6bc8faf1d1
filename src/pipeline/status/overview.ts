/** The treasurer's overview: what waits for whom and since when, and how the scheduled jobs went. */
import type { Config } from "../../config/index.ts";
import { spend } from "../../execution/index.ts";
import {
  addControlTotals,
  type ControlTotal,
  controlTotals,
  DAY_MS,
  type Day,
  dayIn,
  type Instant,
  type Instruction,
  shifted,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { countNotAccepted } from "../../store/batches.ts";
import { type BreakCounts, countOpenBreaks } from "../../store/breaks.ts";
import { type Incomplete, readComparison } from "../../store/comparison.ts";
import { listFailedUntold } from "../../store/failed-payments.ts";
import { listByStanding, listRefused } from "../../store/instructions.ts";
import { type LastRun, listLastRuns } from "../../store/runs.ts";
import { Spending } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import { listAttempts } from "../../store/submissions.ts";
import { identityShown } from "../people/identity.ts";
import { spendingLimitsOf } from "../sending/execution-policy.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { BatchStatus } from "./batch-status.ts";
import type { DoubtReport } from "./doubts.ts";
import { listRunOut } from "./payment-status.ts";
import { wrongRuns } from "./run-result.ts";
import { type WhyNothingIsSent, whyNothingIsSent } from "./why-nothing-is-sent.ts";

export interface Waiting {
  readonly totals: readonly ControlTotal[];
  /** The longest wait; absent if unknown. */
  readonly longestMs?: number;
}

export interface WaitingForApproval extends Waiting {
  readonly batchId: string;
  readonly fileName: string;
  readonly digest: string;
  /** People who cannot approve it: the submitter, and those who already have. */
  readonly not: readonly string[];
  /** Undefined if no rule covers the batch. */
  readonly peopleMissing: number | undefined;
  /** Whether it was approved before, and that approval has run out. */
  readonly isAnew: boolean;
}

export interface Overview extends WhyNothingIsSent {
  readonly at: Instant;
  readonly forApproval: readonly WaitingForApproval[];
  readonly inDoubt: Waiting;
  readonly held: Waiting;
  /** Without payments that are paid again. */
  readonly refused: Waiting;
  /** Accepted, but their payouts have failed since the last comparison, which makes a break of each. */
  readonly failed: Waiting;
  readonly dueToday: Waiting;
  /** Due, but more than today's limits allow. */
  readonly beyondLimits: Waiting;
  readonly later: Waiting & { readonly firstDay?: Day };
  /** Being sent, or left behind by a dead process. */
  readonly sending: Waiting;
  readonly openBreaks: BreakCounts;
  /** Since when no comparison has been complete, and why. */
  readonly incompleteComparison?: Incomplete;
  /** Files of the last 24 hours. */
  readonly notAccepted: number;
  /** Of each job the last run that has ended, if it did not end well. */
  readonly wrongRuns: ReturnType<typeof wrongRuns>;
  /** The last run of each job. */
  readonly lastRuns: readonly LastRun[];
}

/** `batches` and `doubts` are passed in because the caller shows them as well. */
export async function overviewOf(
  workplace: Workplace,
  batches: readonly BatchStatus[],
  { payments }: DoubtReport,
): Promise<Overview> {
  const { store, config, context } = workplace;
  const at = context.clock.now();
  const today = dayIn(config.ledger.timeZone, at);
  const obstacles = await whyNothingIsSent(workplace);
  const identity = await identityShown(workplace);
  return store.read(function* (): Transaction<Overview> {
    const approved = yield* listByStanding("approved");
    const runOut = yield* listRunOut(approved, config.approval, identity, at);
    const { later = [], due = [] } = Object.groupBy(approved, (instruction) => {
      const { payOn } = instruction.fields;
      if (runOut.has(instruction)) return "runOut";
      return payOn !== undefined && payOn > today ? "later" : "due";
    });
    const beyond = yield* listBeyondLimits(due, config, at);
    const { beyondLimits = [], dueToday = [] } = Object.groupBy(due, (instruction) =>
      beyond.has(instruction) ? "beyondLimits" : "dueToday",
    );
    const [firstDay] = later.flatMap(({ fields }) => fields.payOn ?? []).sort();
    const doubted = (standing: string) => {
      const some = payments.filter(({ instruction }) => instruction.standing === standing);
      const waiting = waitingOf(some.map(({ instruction }) => instruction));
      return some.length === 0
        ? waiting
        : { ...waiting, longestMs: Math.max(...some.map(({ ageMs }) => ageMs)) };
    };
    return {
      at,
      ...obstacles,
      forApproval: batches.flatMap((status) => approvalOf(status, at)),
      inDoubt: doubted("in doubt"),
      held: doubted("held"),
      refused: waitingOf(yield* listRefused()),
      failed: waitingOf(yield* listFailedUntold()),
      dueToday: waitingOf(dueToday),
      beyondLimits: waitingOf(beyondLimits),
      later: { ...waitingOf(later), ...present({ firstDay }) },
      sending: waitingOf(yield* listByStanding("sending")),
      openBreaks: yield* countOpenBreaks(),
      ...present({ incompleteComparison: (yield* readComparison()).incomplete }),
      notAccepted: yield* countNotAccepted(shifted(at, -DAY_MS)),
      wrongRuns: wrongRuns(yield* listLastRuns({ isEnded: true })),
      lastRuns: yield* listLastRuns(),
    };
  });
}

/**
 * Which due payments today's limits keep back, found as the intents will find it: `due` is in the order of sending. Counts
 * nothing.
 */
function* listBeyondLimits(
  due: readonly Instruction[],
  config: Pick<Config, "limits" | "ledger">,
  at: Instant,
): Transaction<ReadonlySet<Instruction>> {
  const limits = spendingLimitsOf(config);
  const spending = new Spending(limits.dayOf(at));
  const attempts = yield* listAttempts(due.map(({ id }) => id));
  const beyond = new Set<Instruction>();
  for (const instruction of due) {
    const earlier = attempts.get(instruction.id) ?? [];
    if ((yield* spend(instruction, earlier, spending, limits)) !== undefined) beyond.add(instruction);
  }
  return beyond;
}

function waitingOf(instructions: readonly Instruction[]): Waiting {
  return { totals: controlTotals(instructions.map(({ fields }) => fields.amount)) };
}

function approvalOf(
  { batch, standings, runOut, approvedBy, peopleNeeded }: BatchStatus,
  at: Instant,
): WaitingForApproval[] {
  const received = standings.find(({ standing }) => standing === "received")?.totals ?? [];
  const totals = addControlTotals(received, runOut);
  if (totals.length === 0) return [];
  return [
    {
      batchId: batch.id,
      fileName: batch.fileName,
      digest: batch.digest,
      totals,
      isAnew: runOut.length > 0,
      // Since when an approval has run out, its rules and days do not tell.
      ...(runOut.length === 0 && {
        longestMs: Math.max(0, Date.parse(at) - Date.parse(batch.submittedAt)),
      }),
      not: [...new Set([batch.submittedBy, ...approvedBy])],
      // What was held back takes one more approval at least, whoever gave those before.
      peopleMissing:
        peopleNeeded === undefined
          ? undefined
          : Math.max(runOut.length > 0 ? 1 : 0, peopleNeeded - approvedBy.length),
    },
  ];
}
