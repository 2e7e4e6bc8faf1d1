/** The status of every batch: totals per standing, which always add up to the file. */

import { invariant } from "../faults/index.ts";
import {
  addControlTotals,
  type Batch,
  type BatchId,
  type ControlTotal,
  compareText,
  formatControlTotals,
  type Instant,
  personKey,
  SHOWN_STANDINGS,
  type ShownStanding,
  STANDINGS,
  type Standing,
  sameControlTotals,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { whyUnfitToday } from "../payments/run/approved-now.ts";
import { ruleFor } from "../people/decide.ts";
import { isApproved, type JudgedApprovals, judgeApprovals } from "../people/index.ts";
import { identityShown } from "../proof/identity.ts";
import { judgedApprovals, sumsAsReleased, sumsNow } from "../proof/judged-approvals.ts";
import { listRejections } from "../store/batch-rows.ts";
import { listApprovals, listBatches, listBatchesAt } from "../store/batches.ts";
import { listStandingSums, type StandingSum } from "../store/standing-counts.ts";
import { calendarOf } from "../workplace/calendar.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface BatchStatus {
  readonly batch: Batch;
  /** While anything awaits approval, only the people whose approvals count. */
  readonly approvedBy: readonly string[];
  /** Undefined if no approval rule covers the batch, which then cannot be paid. */
  readonly peopleNeeded: number | undefined;
  /** The people and roles whom that rule lists; absent if it lists none. */
  readonly approvers?: readonly string[];
  /** Only standings that occur, in the order of a payment's life. */
  readonly standings: readonly { readonly standing: Standing; readonly totals: readonly ControlTotal[] }[];
  /** As `standings`, sent payments by how their payouts ended: what people read. */
  readonly shown: readonly { readonly standing: ShownStanding; readonly totals: readonly ControlTotal[] }[];
  /** Who rejected payments of the batch, and why. */
  readonly rejections: readonly string[];
  /**
   * The sums of approved payments that must be approved again, because their approval has expired or they are held
   * back.
   */
  readonly runOut: readonly ControlTotal[];
  /** The other approved payments, by their days. */
  readonly released: readonly Pick<StandingSum, "payOn" | "total">[];
  /** Set if approvals expire before the calendar lets their payments leave. */
  readonly runsOutFirst?: RunsOutFirst;
}

/** An approval that expires before its payments can be sent. */
export interface RunsOutFirst {
  readonly batchId: BatchId;
  readonly ends: Instant;
  /** The next instant at which they could be sent. */
  readonly goesAt: Instant;
  readonly totals: readonly ControlTotal[];
}

function totalsOf(sums: readonly StandingSum[]): ControlTotal[] {
  return addControlTotals(sums.map(({ total }) => total));
}

/** The totals of each that occurs, in the order of `all`. */
function totalsBy<Each>(all: readonly Each[], sums: readonly StandingSum[], of: (sum: StandingSum) => Each) {
  const totals = all.map((standing) => ({
    standing,
    totals: totalsOf(sums.filter((sum) => of(sum) === standing)),
  }));
  return totals.filter((each) => each.totals.length > 0);
}

/** `only`: some of the batches. Throws INVARIANT_BROKEN when the standings of a batch do not add up to its file. */
export async function statusOfBatches(
  workplace: Workplace,
  only?: ReadonlySet<BatchId>,
): Promise<BatchStatus[]> {
  const batches = await workplace.store.read(() => listBatches());
  const wanted = batches.filter(({ id }) => only?.has(id) ?? true);
  return statusOfThese(workplace, wanted);
}

/** As `statusOfBatches`, only for batches with a payment that is neither accepted nor ended in another way. */
export async function statusOfOpenBatches(workplace: Workplace): Promise<BatchStatus[]> {
  return statusOfBatches(workplace, new Set(await workplace.store.read(() => listBatchesAt(OPEN))));
}

const OPEN: readonly Standing[] = ["received", "approved", "sending", "in doubt", "held"];

/** As `statusOfBatches`, for the newest `most` batches that this person submitted. */
export async function statusOfBatchesBy(
  workplace: Workplace,
  person: string,
  most: number,
): Promise<BatchStatus[]> {
  const batches = await workplace.store.read(() => listBatches());
  const own = batches.filter(({ submittedBy }) => personKey(submittedBy) === personKey(person));
  return statusOfThese(workplace, own.slice(-most));
}

async function statusOfThese(workplace: Workplace, batches: readonly Batch[]): Promise<BatchStatus[]> {
  const { store, config, context } = workplace;
  const identity = await identityShown(workplace);
  const whyUnfit = await whyUnfitToday(workplace);
  const statuses: BatchStatus[] = [];
  for (const batch of batches) {
    const sums = await store.read(() => listStandingSums(batch));
    const standings = totalsBy(STANDINGS, sums, ({ standing }) => standing);
    const shown = totalsBy(SHOWN_STANDINGS, sums, ({ standing, end = standing }) => end);
    checkTie(batch, addControlTotals(...standings.map(({ totals }) => totals)));
    const at = context.clock.now();
    const mayLeave = standings.some(({ standing }) => standing === "received" || standing === "approved");
    const judged = await store.read(function* () {
      if (mayLeave) return yield* judgedApprovals(identity, batch, config.approval, at, whyUnfit);
      const sums = yield* sumsAsReleased(identity, batch, config.approval, at);
      return judgeApprovals({ sums, approvals: yield* listApprovals(batch.id) }, config.approval);
    });
    const isReleased = ({ isHeldBack, payOn }: StandingSum) =>
      !isHeldBack && isApproved(judged.stateOf({ at, payOn }));
    const { runOut = [], released = [] } = Object.groupBy(
      sums.filter(({ standing }) => standing === "approved"),
      (sum) => (isReleased(sum) ? "released" : "runOut"),
    );
    const isOpen = runOut.length > 0 || standings.some(({ standing }) => standing === "received");
    const approvals = isOpen ? judged.countingAt(at) : judged.approvals;
    const now = isOpen ? await store.read(() => sumsNow(identity, batch, config.approval, at)) : judged.sums;
    const rule = ruleFor(now, config.approval.rules);
    statuses.push({
      batch,
      approvedBy: approvals.map(({ person }) => person),
      peopleNeeded: rule?.people,
      ...present({ approvers: rule?.approvers }),
      standings,
      shown,
      rejections: standings.some(({ standing }) => standing === "withdrawn")
        ? await store.read(() => listRejections(batch.id))
        : [],
      runOut: totalsOf(runOut),
      released,
      ...present({ runsOutFirst: runsOutFirst(workplace, batch.id, released, judged) }),
    });
  }
  return statuses;
}

function runsOutFirst(
  { context, config }: Workplace,
  batchId: BatchId,
  released: BatchStatus["released"],
  judged: JudgedApprovals,
): RunsOutFirst | undefined {
  const [at, calendar] = [context.clock.now(), calendarOf(config)];
  const short = released.flatMap(({ payOn, total }) => {
    const [state, goesAt] = [judged.stateOf({ at, payOn }), calendar.goesAt(payOn, at)];
    if (state.kind !== "approved until" || state.until > goesAt) return [];
    return [{ ends: state.until, goesAt, total }];
  });
  const [first] = short.toSorted((one, other) => compareText(one.ends, other.ends));
  if (first === undefined) return undefined;
  const { ends, goesAt } = first;
  return { batchId, ends, goesAt, totals: addControlTotals(short.map(({ total }) => total)) };
}

function checkTie(batch: Batch, sum: readonly ControlTotal[]): void {
  const [left, right] = [formatControlTotals(batch.controlTotals), formatControlTotals(sum)];
  invariant(
    sameControlTotals(sum, batch.controlTotals),
    `batch ${batch.id} has ${left}, its rows have ${right}`,
  );
}
