/** The status of payments: what they wait for, and how the service last showed their payouts. */

import type { Config } from "../config/index.ts";
import {
  type BatchId,
  type Day,
  dayIn,
  type Instant,
  type Instruction,
  type SendingCalendar,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { knownByIds } from "../observation/index.ts";
import { paymentsNamed } from "../payments/named/named.ts";
import { whyNotItsPayout } from "../payments/named/own-payout.ts";
import { isApproved, type JudgedApprovals } from "../people/index.ts";
import { type Identity, identityShown } from "../proof/identity.ts";
import { judgedApprovals } from "../proof/judged-approvals.ts";
import { getBatch } from "../store/batches.ts";
import { againReferencesOf } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import { countApproved, countWaiting, type WaitingPayments } from "../store/standing-counts.ts";
import { calendarOf } from "../workplace/calendar.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface PaymentStatus extends Instruction {
  /** The payout's state as last seen. */
  readonly payoutState?: string;
  /** The earliest day on which an unsent payment can be sent. */
  readonly notBefore?: Day;
  /** The due day, if it is a day off and the payment waits for that reason. */
  readonly dayOff?: Day;
  readonly mustBeApprovedAnew?: true;
  /** The reference under which it is paid again. */
  readonly again?: string;
}

/** The instructions of a batch, or the one with a reference, with their payouts' states. Throws BATCH_UNKNOWN. */
export async function statusOf(workplace: Workplace, batchOrReference: string): Promise<PaymentStatus[]> {
  const { payments } = await workplace.store.read(() => paymentsNamed(batchOrReference));
  return statusesOf(workplace, payments);
}

/** The instructions with their payouts' states. */
export async function statusesOf(
  workplace: Workplace,
  instructions: readonly Instruction[],
): Promise<PaymentStatus[]> {
  const { store, config, context } = workplace;
  const payouts = await store.read(() => knownByIds(instructions.flatMap(({ payoutId }) => payoutId ?? [])));
  const approved = instructions.filter(({ standing }) => standing === "approved");
  const identity = await identityShown(workplace);
  const now = context.clock.now();
  const byBatch = await store.read(() => approvalsByBatch(approved, config.approval, identity, now));
  const today = dayIn(config.ledger.timeZone, now);
  const calendar = calendarOf(config);
  const paidAgain = await store.read(() => againReferencesOf(instructions.map(({ id }) => id)));
  const statusIn = (instruction: Instruction): PaymentStatus => {
    const { standing, fields, payoutId, reason: heldBack } = instruction;
    const state =
      standing === "approved"
        ? byBatch.get(instruction.batchId)?.stateOf({ at: now, payOn: fields.payOn, heldBack })
        : undefined;
    if (state !== undefined && !isApproved(state)) {
      const reason = state.kind === "does not fit" ? state.why : "its approval has run out: approve it again";
      return { ...instruction, mustBeApprovedAnew: true, reason };
    }
    if (standing === "received" || standing === "approved") {
      const notBefore = dayIn(calendar.timeZone, calendar.goesAt(fields.payOn, now));
      if (notBefore > today) return { ...instruction, notBefore, ...dayOffOf(calendar, fields.payOn) };
    }
    const payout = payoutId && payouts.get(payoutId);
    if (payout === undefined) return instruction;
    const another = whyNotItsPayout(instruction, payout);
    return another === undefined
      ? { ...instruction, payoutState: payout.state }
      : { ...instruction, reason: another };
  };
  return instructions.map((instruction) => {
    const again = paidAgain.get(instruction.id);
    return { ...statusIn(instruction), ...present({ again }) };
  });
}

/** The due day of a payment, if it is a day off. */
export function dayOffOf(calendar: SendingCalendar, payOn: Day | undefined): { readonly dayOff?: Day } {
  return payOn !== undefined && calendar.isDayOff(payOn) ? { dayOff: payOn } : {};
}

/** How many approved payments must be approved again. */
export function* countRunOut(
  approval: Config["approval"],
  identity: Identity,
  at: Instant,
): Transaction<number> {
  const approved = yield* countApproved();
  const byBatch = yield* approvalsByBatch(approved, approval, identity, at);
  return approved.reduce((total, { batchId, payOn, count, heldBack }) => {
    const state = byBatch.get(batchId)?.stateOf({ at, payOn });
    return total + (state !== undefined && isApproved(state) ? heldBack : count);
  }, 0);
}

function* approvalsByBatch(
  payments: readonly { readonly batchId: BatchId }[],
  approval: Config["approval"],
  identity: Identity,
  at: Instant,
): Transaction<ReadonlyMap<BatchId, JudgedApprovals>> {
  const byBatch = new Map<BatchId, JudgedApprovals>();
  for (const id of new Set(payments.map(({ batchId }) => batchId)))
    byBatch.set(id, yield* judgedApprovals(identity, yield* getBatch(id), approval, at));
  return byBatch;
}

/** Payments that a run does not send yet, by reason. */
export async function waitingPayments({ store, config, context }: Workplace): Promise<WaitingPayments> {
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  const { firstDay, ...waiting } = await store.read(() => countWaiting(today));
  return { ...waiting, ...present({ firstDay: firstDay && calendarOf(config).workingDayFrom(firstDay) }) };
}
