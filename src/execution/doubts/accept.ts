/**
 * A person says which payout is a payment's own. What an answer that was mixed up on its way said counts for less than what the service
 * shows: a payout that bears the payment's callbackUrl is its own, also where it was answered for another one.
 */
import { momentOf } from "../../context/clock.ts";
import { type Instruction, mayBeAccepted, type ObservedPayout, type PayoutId } from "../../model/index.ts";
import { knownByIds, lookAtIds } from "../../observation/index.ts";
import { findAgain } from "../../store/again.ts";
import { appendAudit } from "../../store/audit.ts";
import { findByPayoutId, getInstruction, moveInstruction } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { findLastSubmission } from "../../store/submissions.ts";
import { settle, takeBack } from "../settle.ts";
import type { ExecutionTools } from "../tools.ts";
import { type Decision, decisionRefused, openDoubt } from "./decision.ts";
import { isAnothers, isNamed, whyNotTheOne } from "./recognise.ts";

/**
 * This payout is the one, as the service shows it or has shown it; also of a payment that was refused or given up, and has it after all,
 * or that was accepted with a payout which is not its own. The payment that it was answered for is in doubt then.
 * Throws DECISION_REFUSED for one that pays something else, or belongs to another payment.
 */
export async function acceptByPerson(
  tools: ExecutionTools,
  { reference, person, reason }: Decision,
  id: PayoutId,
): Promise<void> {
  const { store, context } = tools;
  const { instruction } = await openDoubt(tools, reference, mayBeAccepted);
  const { payoutId: answered } = instruction;
  if (answered === id) throw decisionRefused(reference, `it is accepted with payout ${id} already`);
  const ids = answered === undefined ? [id] : [id, answered];
  const { problems } = await lookAtIds(tools, ids);
  // The look has stored what it saw, so that what was shown before counts as well.
  const known = await store.read(() => knownByIds(ids));
  const shown = known.get(id);
  if (shown === undefined) {
    const unread = problems.find(({ payoutId }) => payoutId === id);
    const why = unread && `the service shows payout ${id}, but not so that it can be read: ${unread.message}`;
    throw decisionRefused(reference, why ?? `the service shows no payout ${id}`);
  }
  const unlike = whyNotTheOne(instruction, shown);
  if (unlike.length > 0) throw decisionRefused(reference, `the payout has ${unlike.join(", ")}`);
  if (answered !== undefined) refuseUnlessMixedUp(instruction, shown, known.get(answered));
  const moment = momentOf(context.clock);
  const { at } = moment;
  const evidence = `accepted by ${person}: ${reason}`;
  await store.write(function* (): Transaction<void> {
    const { standing, payoutId } = yield* getInstruction(instruction.id);
    // Somebody may have re-opened it since it was looked at: that needs no lane.
    if (standing !== instruction.standing || payoutId !== answered)
      throw decisionRefused(reference, `it is ${standing}`);
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
    if (submission?.outcome === "in doubt") {
      yield* settle(submission.id, instruction, { kind: "accepted", payoutId: id, evidence }, moment);
    } else {
      yield* moveInstruction(instruction.id, { to: "accepted", payoutId: id, at });
    }
  });
}

/** Why a payout is not acceptable for a payment since another one has it, in words; undefined where none has, or it can be taken back. */
export function* whyKeptByAnother(
  instruction: Instruction,
  payout: ObservedPayout,
): Transaction<string | undefined> {
  const owner = yield* findByPayoutId(payout.payoutId);
  return owner && (yield* whyKept(owner, instruction, payout));
}

/**
 * A payout that bears the payment's own callbackUrl is taken back from its owner, unless that is paid again: as a doubt it might leave
 * once more.
 */
function* whyKept(
  owner: Instruction,
  instruction: Instruction,
  payout: ObservedPayout,
): Transaction<string | undefined> {
  const isKept = !isNamed(instruction, payout) || (yield* findAgain(owner.id)) !== undefined;
  return isKept ? `payout ${payout.payoutId} belongs to ${owner.fields.reference}` : undefined;
}

/** What was accepted keeps its payout, unless the service shows that one as another's or not at all, and this one beyond doubt as its own. */
function refuseUnlessMixedUp(
  instruction: Instruction,
  shown: ObservedPayout,
  answered: ObservedPayout | undefined,
): void {
  const isKept = answered !== undefined && !isAnothers(instruction, answered);
  if (isKept || !isNamed(instruction, shown))
    throw decisionRefused(instruction.fields.reference, `it is accepted with payout ${instruction.payoutId}`);
}
