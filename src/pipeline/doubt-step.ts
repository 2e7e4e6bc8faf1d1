/** Everything in doubt, for the person who decides: what was sent when, what looks have shown, what may be done. */
import {
  abandonByPerson,
  abandonChangeByPerson,
  acceptByPerson,
  acceptChangeByPerson,
  type ChangeDecision,
  type Decision,
  decisionRefused,
  doubtEarlierChanges,
  doubtInterrupted,
  reopenByPerson,
  resendByPerson,
  resolveEarlierChanges,
} from "../execution/index.ts";
import {
  type Change,
  elapsedMs,
  type Instant,
  type Instruction,
  payoutId,
  type Submission,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { findAgain, findSubmittedSince } from "../store/again.ts";
import { getChange, listChangesInDoubt } from "../store/changes.ts";
import { isTimedByThisClock } from "../store/engines/lane-clocks.ts";
import { getByReference, listByStanding } from "../store/instructions.ts";
import { type Look, listLooks } from "../store/looks.ts";
import type { Transaction } from "../store/sql.ts";
import { isOvertaken, listSubmissions } from "../store/submissions.ts";
import { visibilityOf } from "../store/visibility.ts";
import {
  type Choice,
  choicesForChange,
  choicesForPayment,
  type DoubtEvidence,
} from "./payments/doubt-choices.ts";
import { paymentsNamed, paymentsOf } from "./payments/named.ts";
import { inExecutionLane } from "./sending/execution-policy.ts";
import { inLane } from "./sending/lane.ts";
import { underKeyOf, type Workplace } from "./workplace/workplace.ts";

export interface Doubt {
  readonly instruction: Instruction;
  /** Absent if the payment was held before anything was sent. */
  readonly submission?: Submission;
  /** The looks for it since, oldest first. */
  readonly looks: readonly Look[];
  /** Since the last send, or since it was held. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

export interface DoubtReport {
  readonly payments: readonly Doubt[];
  /** Deposits, voids and authorizations in doubt. */
  readonly changes: readonly ChangeDoubt[];
  /** Payments being sent now, or when their process died; the next `paydrop pay` tells which. */
  readonly underWay: readonly Instruction[];
}

export interface ChangeDoubt {
  readonly change: Change;
  /** Since it ended without an outcome. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

/** The total number of unknown outcomes. */
export function countDoubts({ payments, changes, underWay }: DoubtReport): number {
  return payments.length + changes.length + underWay.length;
}

export async function listDoubts(workplace: Workplace): Promise<DoubtReport> {
  const now = workplace.context.clock.now();
  return workplace.store.read(function* (): Transaction<DoubtReport> {
    const payments: Doubt[] = [];
    const witnessed = new Map<string, boolean>();
    for (const instruction of [...(yield* listByStanding("in doubt")), ...(yield* listByStanding("held"))])
      payments.push(yield* doubtOf(workplace, instruction, witnessed));
    const changes = (yield* listChangesInDoubt()).map((change) => ({
      change,
      ageMs: ageMs(change.endedAt ?? change.intendedAt, now),
      choices: choicesForChange(change),
    }));
    return { payments, changes, underWay: yield* listByStanding("sending") };
  });
}

function* doubtOf(
  workplace: Workplace,
  instruction: Instruction,
  witnessed: Map<string, boolean>,
): Transaction<Doubt> {
  const { config, context } = workplace;
  const submissions = yield* listSubmissions(instruction.id);
  const submission = submissions.at(-1);
  const ofLast = submission === undefined ? UNSENT : yield* evidenceOf(workplace, submission, witnessed);
  return {
    instruction,
    ...present({ submission }),
    looks: submission === undefined ? [] : yield* listLooks(submission.id),
    ageMs: ageMs(submission?.endedAt ?? submission?.intendedAt, context.clock.now()),
    choices: choicesForPayment(instruction, config.nonce.rule, {
      hasLeft: submissions.some(({ outcome }) => outcome !== "not sent"),
      ...ofLast,
    }),
  };
}

type LastEvidence = Omit<DoubtEvidence, "hasLeft">;

const UNSENT: LastEvidence = { isOvertaken: false, isWitnessed: false, settleLeftMs: 0 };

/** `witnessed` remembers, by key, whether a payout of that key was ever found by its reference. */
function* evidenceOf(
  { config, context }: Workplace,
  submission: Submission,
  witnessed: Map<string, boolean>,
): Transaction<LastEvidence> {
  const { keyId, nonce } = submission;
  const isWitnessed = witnessed.get(keyId) ?? (yield* visibilityOf(keyId)).seen > 0;
  witnessed.set(keyId, isWitnessed);
  return {
    isOvertaken: yield* isOvertaken(keyId, nonce),
    isWitnessed,
    settleLeftMs: yield* settleLeftMs(submission, config.doubt.settleMinutes, context.clock.monotonicMs()),
  };
}

/** What is left of the settle window; all of it if another clock measured the end of the send. */
function* settleLeftMs(
  { keyId, endedMonotonicMs }: Submission,
  settleMinutes: number,
  nowMonotonicMs: number,
): Transaction<number> {
  const isTimed = endedMonotonicMs !== undefined && (yield* isTimedByThisClock(keyId));
  const waitedMs = isTimed ? elapsedMs(endedMonotonicMs, nowMonotonicMs) : 0;
  return Math.max(0, settleMinutes * 60_000 - waitedMs);
}

function ageMs(since: Instant | undefined, now: Instant): number {
  return since === undefined ? 0 : Math.max(0, Date.parse(now) - Date.parse(since));
}

export type Resolving =
  | { readonly by: "accept"; readonly payoutId: string }
  | { readonly by: "resend" }
  | { readonly by: "abandon"; readonly despiteIncompleteLook?: boolean };

/**
 * Carries out a person's decision and returns the payment as it is then. Throws DECISION_REFUSED if the evidence
 * contradicts it. Nothing is sent after `signal` has aborted.
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
    // We hold the lane, so nobody else is sending: what a dead process left can be decided at once.
    await doubtInterrupted(tools);
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

/** As `resolveDoubtStep`, for a change in doubt. Throws CHANGE_UNKNOWN for an unknown number. */
export async function resolveChangeStep(
  workplace: Workplace,
  decision: ChangeDecision,
  resolving: ResolvingChange,
): Promise<Change> {
  const { store } = workplace;
  const { number } = decision;
  const doubtful = await store.read(() => getChange(number));
  const view =
    workplace.underKeys.find((candidate) => candidate.service().keyId === doubtful.keyId) ?? workplace;
  await inLane(view, async ({ tools, codes }, policy) => {
    const changeTools = { ...tools, codes, policy };
    const despite = resolving.by === "abandon" && resolving.despiteIncompleteLook === true;
    // A change that cannot be looked up must still be possible to abandon.
    await (despite ? doubtEarlierChanges(changeTools) : resolveEarlierChanges(changeTools));
    return resolving.by === "accept"
      ? acceptChangeByPerson(changeTools, decision, resolving.id)
      : abandonChangeByPerson(changeTools, decision, despite);
  });
  return store.read(() => getChange(number));
}

/**
 * Re-opens a refused payment, or all refused ones of a batch, named by `decision.reference`. Returns them as they are
 * then: approved, or held if any look has shown a payout. Throws DECISION_REFUSED for a payment in another standing or
 * paid again, and for a batch without refused payments.
 */
export async function reopenStep(workplace: Workplace, decision: Decision): Promise<readonly Instruction[]> {
  const { store } = workplace;
  const references = await store.read(() => refusedOf(decision.reference));
  await reopenByPerson(workplace, references, decision);
  return store.read(() => paymentsOf(references));
}

/** The refused payments named; of a batch without those that are paid or were submitted again under another reference. */
function* refusedOf(batchOrReference: string): Transaction<string[]> {
  const { batch, payments } = yield* paymentsNamed(batchOrReference);
  if (batch === undefined) return [batchOrReference];
  const references: string[] = [];
  for (const { id, standing, fields } of payments)
    if (standing === "refused" && ((yield* findAgain(id)) ?? (yield* findSubmittedSince(id))) === undefined)
      references.push(fields.reference);
  if (references.length === 0)
    throw decisionRefused(batch, "no payment of this batch is refused and not paid or submitted again");
  return references;
}
