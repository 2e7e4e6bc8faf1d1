/**
 * A person decides which payout belongs to a payment. The payouts that the service shows outweigh a mixed-up
 * answer: a payout with the payment's callbackUrl belongs to the payment, even if its id came in the answer to
 * another creation.
 */

import { momentOf } from "../../../context/clock.ts";
import type { Reason } from "../../../faults/index.ts";
import {
  type Instruction,
  isAnothers,
  isNamed,
  mayBeAccepted,
  type ObservedPayout,
  type PayoutId,
} from "../../../model/index.ts";
import { knownByIds, knownForInstruction, PAYOUTS, track } from "../../../observation/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import { findByPayoutId, getInstruction, moveInstruction } from "../../../store/instructions.ts";
import { findPayAgain } from "../../../store/pay-again.ts";
import type { Transaction } from "../../../store/sql.ts";
import { findLastSubmission } from "../../../store/submissions.ts";
import { settle, takeBack } from "../settle.ts";
import type { ExecutionTools } from "../tools.ts";
import { type Decision, decisionRefused, openDoubt } from "./decision.ts";
import { whyNotTheOne } from "./recognise.ts";

/**
 * Accepts payout `id`, as the service shows it now or has shown it before, for a payment in doubt or held; also for
 * one that was refused or abandoned but has a payout after all, or that was accepted with the payout of another
 * payment. Throws DECISION_REFUSED for a payout that pays something else, or that stays with the payment that has
 * it (`whyKept`). Otherwise takes it from that payment, which becomes in doubt, or held if it was never sent.
 */
export async function acceptByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  id: PayoutId,
): Promise<void> {
  const { store, context } = tools;
  const { instruction } = await openDoubt(tools, reference, mayBeAccepted);
  const { payoutId: answered } = instruction;
  if (answered === id) throw decisionRefused(reference, { reason: "accepted-already", payout: id });
  const { shown, shownAnswered } = await lookAtPayouts(tools, reference, id, answered);
  const unlike = whyNotTheOne(instruction, shown);
  if (unlike.length > 0)
    throw decisionRefused(reference, { reason: "unlike", differences: unlike.join(", ") });
  if (answered !== undefined) refuseUnlessMixedUp(instruction, shown, shownAnswered);
  const moment = momentOf(context.clock);
  const { at } = moment;
  const evidence = `accepted by ${person}: ${reason}`;
  await store.write(function* (): Transaction<void> {
    const { standing, payoutId } = yield* getInstruction(instruction.id);
    // Re-opening needs no lane, so it may have happened since the look.
    if (standing !== instruction.standing || payoutId !== answered)
      throw decisionRefused(reference, { reason: "standing", standing });
    const owner = yield* findByPayoutId(id);
    const why = owner && (yield* whyKept(owner, instruction, shown));
    if (why !== undefined) throw decisionRefused(reference, why);
    const detail = { payoutId: id, reason };
    yield* appendAudit({ at, person, action: "accept payout", subject: reference, detail });
    if (owner !== undefined)
      yield* takeBack(owner, `payout ${id}, which was answered for it, is that of ${reference}`, at);
    if (answered !== undefined)
      yield* takeBack(instruction, `payout ${answered}, which was answered for it, is another one's`, at);
    const submission = yield* findLastSubmission(instruction.id);
    if (submission?.outcome === "in doubt")
      yield* settle(submission.id, instruction, { kind: "accepted", payoutId: id, evidence }, moment);
    else yield* moveInstruction(instruction.id, { to: "accepted", payoutId: id, at });
  });
}

/**
 * The payouts that looks have shown and that `acceptByPerson` would accept for the payment. For an accepted payment
 * they are only candidates, and include the payout that it has.
 */
export function* listAcceptable(instruction: Instruction): Transaction<readonly PayoutId[]> {
  const acceptable: PayoutId[] = [];
  for (const payout of yield* knownForInstruction(instruction)) {
    if (whyNotTheOne(instruction, payout).length > 0) continue;
    if ((yield* whyKeptByAnother(instruction, payout)) === undefined) acceptable.push(payout.payoutId);
  }
  return acceptable;
}

/**
 * The payouts `id` and `answered` as now shown or seen before. Throws DECISION_REFUSED if the service does not show
 * `id` readably.
 */
async function lookAtPayouts(
  tools: ExecutionTools,
  reference: string,
  id: PayoutId,
  answered: PayoutId | undefined,
): Promise<{ readonly shown: ObservedPayout; readonly shownAnswered: ObservedPayout | undefined }> {
  const ids = answered === undefined ? [id] : [id, answered];
  const { problems } = await track(tools, PAYOUTS, ids);
  // The look has stored its sightings, so this read covers earlier ones as well.
  const known = await tools.store.read(() => knownByIds(ids));
  const shown = known.get(id);
  if (shown !== undefined) return { shown, shownAnswered: answered && known.get(answered) };
  const unread = problems.find(({ payoutId }) => payoutId === id);
  throw decisionRefused(
    reference,
    unread === undefined
      ? { reason: "unshown", payout: id }
      : { reason: "unreadable", payout: id, problem: unread.message },
  );
}

/** Why a payout stays with the payment that has it now; undefined if no payment has it, or it can be taken away. */
export function* whyKeptByAnother(
  instruction: Instruction,
  payout: ObservedPayout,
): Transaction<Reason<"DECISION_REFUSED"> | undefined> {
  const owner = yield* findByPayoutId(payout.payoutId);
  return owner && (yield* whyKept(owner, instruction, payout));
}

/**
 * A payout with our callbackUrl can be taken from its owner, unless the owner is being paid again: the owner
 * becomes a doubt, which may be re-sent.
 */
function* whyKept(
  owner: Instruction,
  instruction: Instruction,
  payout: ObservedPayout,
): Transaction<Reason<"DECISION_REFUSED"> | undefined> {
  const isKept = !isNamed(instruction, payout) || (yield* findPayAgain(owner.id)) !== undefined;
  return isKept ? { reason: "owned", payout: payout.payoutId, owner: owner.fields.reference } : undefined;
}

/**
 * Throws DECISION_REFUSED unless the ids were mixed up: the service shows the answered payout as another payment's,
 * or not at all, and `shown` has the instruction's own callbackUrl.
 */
function refuseUnlessMixedUp(
  instruction: Instruction,
  shown: ObservedPayout,
  answered: ObservedPayout | undefined,
): void {
  const isKept = answered !== undefined && !isAnothers(instruction, answered);
  if (isKept || !isNamed(instruction, shown))
    throw decisionRefused(instruction.fields.reference, {
      reason: "accepted",
      payout: instruction.payoutId ?? "",
    });
}
