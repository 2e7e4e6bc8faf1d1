/** The status of every batch: totals per standing, which always add up to the file. */
import { countingApprovals, peopleNeededFor, runOutAt } from "../../approval/index.ts";
import { fault } from "../../faults/index.ts";
import {
  addControlTotals,
  type Batch,
  type ControlTotal,
  controlTotals,
  type Day,
  dayIn,
  formatControlTotals,
  type Instruction,
  STANDINGS,
  type Standing,
  sameControlTotals,
} from "../../model/index.ts";
import { payoutsOf } from "../../observation/index.ts";
import { listApprovals, listBatches } from "../../store/batches.ts";
import { listStandingAmounts } from "../../store/instructions.ts";
import { countWaiting, type WaitingPayments } from "../../store/standing-counts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { paymentsNamed } from "./payments-named.ts";
import { listRunOut } from "./run-out.ts";
import { whyNotItsPayout } from "./why-not-its-payout.ts";

export interface BatchStatus {
  readonly batch: Batch;
  /** While anything awaits approval, only those whose approval counts. */
  readonly approvedBy: readonly string[];
  /** Undefined if no approval rule covers the batch, which then cannot be paid. */
  readonly peopleNeeded: number | undefined;
  /** Only standings that occur, in the order of a payment's life. */
  readonly standings: readonly { readonly standing: Standing; readonly totals: readonly ControlTotal[] }[];
  /** Of the approved ones, those that must be approved again, because their approval has run out. */
  readonly runOut: readonly ControlTotal[];
}

/** Throws TOTALS_DO_NOT_TIE when the standings of a batch do not add up to its file. */
export async function statusOfBatches({ store, config, context }: Workplace): Promise<BatchStatus[]> {
  const batches = await store.read(() => listBatches());
  const statuses: BatchStatus[] = [];
  // One at a time, because each has as many amounts as its file has rows.
  for (const batch of batches) {
    const amounts = await store.read(() => listStandingAmounts(batch.id));
    const standings = STANDINGS.map((standing) => ({
      standing,
      totals: controlTotals(
        amounts.filter((payment) => payment.standing === standing).map(({ amount }) => amount),
      ),
    })).filter(({ totals }) => totals.length > 0);
    checkTie(batch, addControlTotals(...standings.map(({ totals }) => totals)));
    const given = await store.read(() => listApprovals(batch.id));
    const at = context.clock.now();
    const isRunOut = runOutAt(batch, given, config.approval, at);
    const runOut = controlTotals(
      amounts
        .filter(({ standing, payOn }) => standing === "approved" && isRunOut(payOn))
        .map(({ amount }) => amount),
    );
    const isOpen = runOut.length > 0 || standings.some(({ standing }) => standing === "received");
    const approvals = isOpen ? countingApprovals(batch, given, config.approval, at) : given;
    statuses.push({
      batch,
      approvedBy: approvals.map(({ person }) => person),
      peopleNeeded: peopleNeededFor(batch.controlTotals, config.approval.rules),
      standings,
      runOut,
    });
  }
  return statuses;
}

export interface PaymentStatus extends Instruction {
  /** The payout's state as last seen. */
  readonly payoutState?: string;
  /** Until when a payment that has not left waits in any case. */
  readonly notBefore?: Day;
  readonly mustBeApprovedAnew?: true;
}

/** The instructions of a batch, or the one with a reference, with their payouts' states. Throws BATCH_UNKNOWN. */
export async function statusOf(workplace: Workplace, batchOrReference: string): Promise<PaymentStatus[]> {
  const { store, config, context } = workplace;
  const { payments: instructions } = await store.read(() => paymentsNamed(batchOrReference));
  const payouts = await store.read(() => payoutsOf(instructions));
  const approved = instructions.filter(({ standing }) => standing === "approved");
  const runOut = await store.read(() => listRunOut(approved, config.approval, context.clock.now()));
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  return instructions.map((instruction): PaymentStatus => {
    const { standing, fields, payoutId } = instruction;
    if (runOut.has(instruction))
      return {
        ...instruction,
        mustBeApprovedAnew: true,
        reason: "its approval has run out: approve it again",
      };
    const isUnsent = standing === "received" || standing === "approved";
    if (isUnsent && fields.payOn !== undefined && fields.payOn > today)
      return { ...instruction, notBefore: fields.payOn };
    const payout = payoutId && payouts.get(payoutId);
    if (payout === undefined) return instruction;
    const another = whyNotItsPayout(instruction, payout);
    return another === undefined
      ? { ...instruction, payoutState: payout.state }
      : { ...instruction, reason: another };
  });
}

/** Payments that a run does not send yet, by reason. */
export function waitingPayments({ store, config, context }: Workplace): Promise<WaitingPayments> {
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  return store.read(() => countWaiting(today));
}

function checkTie(batch: Batch, sum: readonly ControlTotal[]): void {
  if (sameControlTotals(sum, batch.controlTotals)) return;
  const [left, right] = [formatControlTotals(batch.controlTotals), formatControlTotals(sum)];
  throw fault("TOTALS_DO_NOT_TIE", { what: `batch ${batch.id}`, left, right });
}
