/** What nobody knows yet, laid out for the person who decides: what was sent when, what looking showed, what may be done. */
import {
  abandonByPerson,
  abandonChangeByPerson,
  acceptByPerson,
  acceptChangeByPerson,
  type ChangeDecision,
  type Decision,
  decisionRefused,
  doubtEarlierChanges,
  doubtWhatWasUnderWay,
  reopenByPerson,
  resendByPerson,
  resolveEarlierChanges,
} from "../execution/index.ts";
import { type Change, elapsedMs, type Instruction, payoutId, type Submission } from "../model/index.ts";
import { present } from "../model/present.ts";
import { findAgain } from "../store/again.ts";
import { getChange, listChangesInDoubt } from "../store/changes.ts";
import { isTimedByThisClock } from "../store/engines/lane-clocks.ts";
import { getByReference, listByStanding } from "../store/instructions.ts";
import { type Look, listLooks } from "../store/looks.ts";
import type { Transaction } from "../store/sql.ts";
import { isOvertaken, listSubmissions } from "../store/submissions.ts";
import { visibilityOf } from "../store/visibility.ts";
import { inExecutionLane } from "./sending/execution-policy.ts";
import { inLane } from "./sending/lane.ts";
import { type Choice, choicesForChange, choicesForPayment } from "./standings/doubt-choices.ts";
import { paymentsNamed, paymentsOf } from "./standings/payments-named.ts";
import { underKeyOf, type Workplace } from "./workplace/workplace.ts";

export interface Doubt {
  readonly instruction: Instruction;
  /** Absent where the service had something under the reference before anything was sent. */
  readonly submission?: Submission;
  /** What looking for it has shown since, oldest first. */
  readonly looks: readonly Look[];
  /** Since the last send, or since it was held. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

export interface DoubtReport {
  readonly payments: readonly Doubt[];
  /** Deposits, voids and authorizations whose outcome nobody knows. */
  readonly changes: readonly ChangeDoubt[];
  /** Payments that are being sent now, or were when their process died; the next `paydrop pay` tells. */
  readonly underWay: readonly Instruction[];
}

export interface ChangeDoubt {
  readonly change: Change;
  /** Since it ended without an outcome. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

/** How many things nobody knows the outcome of. */
export function countDoubts({ payments, changes, underWay }: DoubtReport): number {
  return payments.length + changes.length + underWay.length;
}

export async function listDoubts({ store, context, config }: Workplace): Promise<DoubtReport> {
  const nowMs = Date.parse(context.clock.now());
  const ageMs = (since = context.clock.now()) => Math.max(0, nowMs - Date.parse(since));
  function* settleLeftMs(submission: Submission | undefined): Transaction<number> {
    if (submission === undefined) return 0;
    const { keyId, endedMonotonicMs: endedMs } = submission;
    const isTimed = endedMs !== undefined && (yield* isTimedByThisClock(keyId));
    const waitedMs = isTimed ? elapsedMs(endedMs, context.clock.monotonicMs()) : 0;
    return Math.max(0, config.doubt.settleMinutes * 60_000 - waitedMs);
  }
  return store.read(function* (): Transaction<DoubtReport> {
    const payments: Doubt[] = [];
    const witnessed = new Map<string, boolean>();
    function* hasWitness(keyId: string): Transaction<boolean> {
      const known = witnessed.get(keyId) ?? (yield* visibilityOf(keyId)).seen > 0;
      witnessed.set(keyId, known);
      return known;
    }
    for (const instruction of [...(yield* listByStanding("in doubt")), ...(yield* listByStanding("held"))]) {
      const submissions = yield* listSubmissions(instruction.id);
      const submission = submissions.at(-1);
      const overtaken = submission !== undefined && (yield* isOvertaken(submission.keyId, submission.nonce));
      const isWitnessed = submission !== undefined && (yield* hasWitness(submission.keyId));
      payments.push({
        instruction,
        ...present({ submission }),
        looks: submission === undefined ? [] : yield* listLooks(submission.id),
        ageMs: ageMs(submission?.endedAt ?? submission?.intendedAt),
        choices: choicesForPayment(instruction, config.nonce.rule, {
          hasLeft: submissions.some(({ outcome }) => outcome !== "not sent"),
          isOvertaken: overtaken,
          isWitnessed,
          settleLeftMs: yield* settleLeftMs(submission),
        }),
      });
    }
    const changes = (yield* listChangesInDoubt()).map((change) => ({
      change,
      ageMs: ageMs(change.endedAt ?? change.intendedAt),
      choices: choicesForChange(change),
    }));
    return { payments, changes, underWay: yield* listByStanding("sending") };
  });
}

export type Resolving =
  | { readonly by: "accept"; readonly payoutId: string }
  | { readonly by: "resend" }
  | { readonly by: "abandon"; readonly despiteIncompleteLook?: boolean };

/**
 * Carries a person's decision out and returns how the payment stands then. Throws DECISION_REFUSED where the evidence contradicts it.
 * When `signal` aborts, nothing is sent any more.
 */
export async function resolveDoubtStep(
  workplace: Workplace,
  decision: Decision,
  resolving: Resolving,
  signal?: AbortSignal,
): Promise<Instruction> {
  const { fields } = await workplace.store.read(() => getByReference(decision.reference));
  const view = underKeyOf(workplace, fields.custodyAccountId);
  await inExecutionLane(workplace, view, async (tools) => {
    // Whoever holds the lane knows that nobody else is sending: what a dead process left can be decided about at once.
    await doubtWhatWasUnderWay(tools);
    switch (resolving.by) {
      case "accept":
        return acceptByPerson(tools, decision, payoutId(resolving.payoutId));
      case "resend":
        return resendByPerson(tools, decision, signal);
      case "abandon":
        return abandonByPerson(tools, decision, resolving.despiteIncompleteLook);
    }
  });
  return workplace.store.read(() => getByReference(decision.reference));
}

export type ResolvingChange =
  | { readonly by: "accept"; readonly id: string }
  | { readonly by: "abandon"; readonly despiteIncompleteLook?: boolean };

/** The same for a change in doubt; returns it as it stands then. Throws CHANGE_UNKNOWN for a number that is none. */
export async function resolveChangeStep(
  workplace: Workplace,
  decision: ChangeDecision,
  resolving: ResolvingChange,
): Promise<Change> {
  const { store } = workplace;
  const { number } = decision;
  const doubtful = await store.read(() => getChange(number));
  const view = workplace.underKeys.find((one) => one.service().keyId === doubtful.keyId) ?? workplace;
  await inLane(view, async ({ tools, codes }, policy) => {
    const changeTools = { ...tools, codes, policy };
    const despite = resolving.by === "abandon" && resolving.despiteIncompleteLook === true;
    // A look that is not answered must not keep from giving up what cannot be looked for.
    await (despite ? doubtEarlierChanges(changeTools) : resolveEarlierChanges(changeTools));
    return resolving.by === "accept"
      ? acceptChangeByPerson(changeTools, decision, resolving.id)
      : abandonChangeByPerson(changeTools, decision, despite);
  });
  return store.read(() => getChange(number));
}

/**
 * Puts a refused payment, or all refused ones of a batch, back among the approved ones; `decision.reference` names it, or the batch.
 * Returns them as they stand then: held, where any look has shown a payout for one.
 * Throws DECISION_REFUSED for a payment that stands otherwise or is paid again, and for a batch without a refused one.
 */
export async function reopenStep(workplace: Workplace, decision: Decision): Promise<readonly Instruction[]> {
  const { store } = workplace;
  const references = await store.read(() => refusedOf(decision.reference));
  await reopenByPerson(workplace, references, decision);
  return store.read(() => paymentsOf(references));
}

/** What is paid again under another reference stays refused. */
function* refusedOf(batchOrReference: string): Transaction<string[]> {
  const { batch, payments } = yield* paymentsNamed(batchOrReference);
  if (batch === undefined) return [batchOrReference];
  const references: string[] = [];
  for (const { id, standing, fields } of payments)
    if (standing === "refused" && (yield* findAgain(id)) === undefined) references.push(fields.reference);
  if (references.length === 0) throw decisionRefused(batch, "no payment of this batch is refused");
  return references;
}
