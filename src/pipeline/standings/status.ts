/** The status of every batch: totals per standing, which always add up to the file. */
import { peopleNeededFor, validApprovals } from "../../approval/index.ts";
import { fault } from "../../faults/index.ts";
import {
  addControlTotals,
  type Batch,
  type ControlTotal,
  controlTotals,
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
import { whyNotItsPayout } from "./why-not-its-payout.ts";

export interface BatchStatus {
  readonly batch: Batch;
  /** While anything awaits approval, only those whose approval is still valid. */
  readonly approvedBy: readonly string[];
  /** Undefined if no approval rule covers the batch, which then cannot be paid. */
  readonly peopleNeeded: number | undefined;
  /** Only standings that occur, in the order of a payment's life. */
  readonly standings: readonly { readonly standing: Standing; readonly totals: readonly ControlTotal[] }[];
}

/** Throws TOTALS_DO_NOT_TIE when the standings of a batch do not add up to its file. */
export async function statusOfBatches({ store, config, context }: Workplace): Promise<BatchStatus[]> {
  const batches = await store.read(() => listBatches());
  const { rules, validDays } = config.approval;
  const statuses: BatchStatus[] = [];
  // One at a time, because each has as many amounts as its file has rows.
  for (const batch of batches) {
    const amounts = await store.read(() => listStandingAmounts(batch.id));
    const standings = STANDINGS.map((standing) => ({
      standing,
      totals: controlTotals(amounts.filter((one) => one.standing === standing).map(({ amount }) => amount)),
    })).filter(({ totals }) => totals.length > 0);
    checkTie(batch, addControlTotals(...standings.map(({ totals }) => totals)));
    const given = await store.read(() => listApprovals(batch.id));
    const isOpen = standings.some(({ standing }) => standing === "received");
    const approvals = isOpen ? validApprovals(given, context.clock.now(), validDays) : given;
    statuses.push({
      batch,
      approvedBy: approvals.map(({ person }) => person),
      peopleNeeded: peopleNeededFor(batch.controlTotals, rules),
      standings,
    });
  }
  return statuses;
}

export interface PaymentStatus extends Instruction {
  /** The payout's state as last seen. */
  readonly payoutState?: string;
}

/** The instructions of a batch, or the one with a reference, with their payouts' states. Throws BATCH_UNKNOWN. */
export async function statusOf({ store }: Workplace, batchOrReference: string): Promise<PaymentStatus[]> {
  const { payments: instructions } = await store.read(() => paymentsNamed(batchOrReference));
  const payouts = await store.read(() => payoutsOf(instructions));
  return instructions.map((instruction) => {
    const payout = instruction.payoutId && payouts.get(instruction.payoutId);
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
