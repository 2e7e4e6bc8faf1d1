/** The status of payments: what they wait for, and how the service last showed their payouts. */

import { problem } from "../faults/index.ts";
import {
  type Approval,
  type BatchId,
  type Day,
  dayIn,
  type Instruction,
  minuteText,
  restText,
  type SendingCalendar,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { knownByIds } from "../observation/index.ts";
import { paymentsNamed } from "../payments/named/named.ts";
import { whyNotItsPayout } from "../payments/named/own-payout.ts";
import { whyUnfitToday } from "../payments/run/approved-now.ts";
import { approvedFor } from "../payments/run/releases.ts";
import { stopOrder } from "../payments/run/stop-order.ts";
import { type ApprovalState, isApproved, type JudgedApprovals } from "../people/index.ts";
import { identityShown } from "../proof/identity.ts";
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
  const judge = await batchJudge(workplace);
  const payouts = await store.read(() => knownByIds(instructions.flatMap(({ payoutId }) => payoutId ?? [])));
  const approved = instructions.filter(({ standing }) => standing === "approved");
  const now = context.clock.now();
  const byBatch = await store.read(() => approvalsByBatch(approved, judge));
  const today = dayIn(config.ledger.timeZone, now);
  const calendar = calendarOf(config);
  const paidAgain = await store.read(() => againReferencesOf(instructions.map(({ id }) => id)));
  const statusIn = (instruction: Instruction): PaymentStatus => {
    const { standing, fields, payoutId, reason: heldBack } = instruction;
    const state =
      standing === "approved"
        ? byBatch.get(instruction.batchId)?.stateOf({ at: now, payOn: fields.payOn, heldBack })
        : undefined;
    if (state !== undefined && !isApproved(state))
      return { ...instruction, mustBeApprovedAnew: true, reason: whyAnew(state, instruction.batchId) };
    if (standing === "received" || standing === "approved") {
      const notBefore = dayIn(calendar.timeZone, calendar.goesAt(fields.payOn, now));
      if (notBefore > today) return { ...instruction, notBefore, ...dayOffOf(calendar, fields.payOn) };
    }
    const cooling = state && whyCooling(state, instruction.batchId);
    if (cooling !== undefined) return { ...instruction, reason: cooling };
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

function whyCooling(state: ApprovalState, batch: BatchId): string | undefined {
  if (state.kind !== "held until") return undefined;
  return problem("APPROVAL_COOLING", { batch, when: minuteText(state.until) }).message;
}

function whyAnew(state: ApprovalState, batch: BatchId): string {
  if (state.kind === "does not fit") return state.why;
  if (state.kind === "run out") return "its approval has run out: approve it again";
  return problem("APPROVAL_LACKING", { batch }).message;
}

/** The due day of a payment, if it is a day off. */
export function dayOffOf(calendar: SendingCalendar, payOn: Day | undefined): { readonly dayOff?: Day } {
  return payOn !== undefined && calendar.isDayOff(payOn) ? { dayOff: payOn } : {};
}

/** How many approved payments must be approved again. */
export async function countRunOut(workplace: Workplace): Promise<number> {
  const judge = await batchJudge(workplace);
  const at = workplace.context.clock.now();
  return workplace.store.read(function* (): Transaction<number> {
    const approved = yield* countApproved();
    const byBatch = yield* approvalsByBatch(approved, judge);
    return approved.reduce((total, { batchId, payOn, count, heldBack }) => {
      const state = byBatch.get(batchId)?.stateOf({ at, payOn });
      return total + (state !== undefined && isApproved(state) ? heldBack : count);
    }, 0);
  });
}

/** Why a payment in doubt may not be sent again now, by the stop order, the calendar and its approvals. */
export async function whyNotSentAgain(
  workplace: Workplace,
): Promise<(instruction: Instruction) => Transaction<string | undefined>> {
  const judge = await batchJudge(workplace);
  const order = await stopOrder(workplace);
  const at = workplace.context.clock.now();
  const calendar = calendarOf(workplace.config);
  const rest = calendar.restAt(at, "send");
  return function* (instruction) {
    if (order !== undefined) return problem("SENDING_STOPPED", { reason: order.reason }).message;
    if (rest !== undefined)
      return problem("SENDING_RESTS", { reason: restText(rest, calendar.timeZone) }).message;
    const { batchId: batch, fields } = instruction;
    const state = (yield* judge(batch)).stateOf({ at, payOn: fields.payOn });
    return isApproved(state) ? whyCooling(state, batch) : whyAnew(state, batch);
  };
}

type BatchJudge = (id: BatchId) => Transaction<JudgedApprovals>;

/** Judges each batch's approvals once, as the sender does: by the people, the rules and the calls of today. */
async function batchJudge(workplace: Workplace): Promise<BatchJudge> {
  const identity = await identityShown(workplace);
  const unfitToday = await whyUnfitToday(workplace);
  const { config, context } = workplace;
  const judged = new Map<BatchId, JudgedApprovals>();
  return function* (id) {
    const known = judged.get(id);
    if (known !== undefined) return known;
    const whyUnfit = (approval: Approval) => {
      const otherwise = unfitToday(approval);
      return otherwise && approvedFor(id, otherwise);
    };
    const batch = yield* getBatch(id);
    const approvals = yield* judgedApprovals(identity, batch, config.approval, context.clock.now(), whyUnfit);
    judged.set(id, approvals);
    return approvals;
  };
}

function* approvalsByBatch(
  payments: readonly { readonly batchId: BatchId }[],
  judge: BatchJudge,
): Transaction<ReadonlyMap<BatchId, JudgedApprovals>> {
  const byBatch = new Map<BatchId, JudgedApprovals>();
  for (const id of new Set(payments.map(({ batchId }) => batchId))) byBatch.set(id, yield* judge(id));
  return byBatch;
}

/** Payments that a run does not send yet, by reason. */
export async function waitingPayments({ store, config, context }: Workplace): Promise<WaitingPayments> {
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  const { firstDay, ...waiting } = await store.read(() => countWaiting(today));
  return { ...waiting, ...present({ firstDay: firstDay && calendarOf(config).workingDayFrom(firstDay) }) };
}
