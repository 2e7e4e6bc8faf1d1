/** All doubts, for the person who decides: what was sent when, what looks have shown, which choices exist. */

import {
  type Change,
  DAY_MS,
  elapsedMs,
  type Instant,
  type Instruction,
  isPlainReference,
  type Submission,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import {
  type Choice,
  choicesForChange,
  choicesForPayment,
  type DoubtEvidence,
} from "../payments/named/doubt-choices.ts";
import { listAcceptable } from "../payments/sending/index.ts";
import { listOpenChanges } from "../store/changes.ts";
import { isTimedByThisClock } from "../store/engines/lane-clocks.ts";
import { listByStanding } from "../store/instructions.ts";
import { type Look, listLooks } from "../store/looks.ts";
import type { Transaction } from "../store/sql.ts";
import { isOvertaken, listSubmissions } from "../store/submissions.ts";
import { findWitness } from "../store/visibility.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { whyNotSentAgain } from "./payment-status.ts";

export interface Doubt {
  readonly instruction: Instruction;
  /** Absent if the payment was held before anything was sent. */
  readonly submission?: Submission;
  /** All looks for it since then, oldest first. */
  readonly looks: readonly Look[];
  /** Time since the last send, or since the payment was held. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
  /** The evidence for the choices. */
  readonly evidence: DoubtEvidence;
}

export interface DoubtReport {
  readonly payments: readonly Doubt[];
  /** Deposits, voids and authorizations in doubt, or without an outcome yet. */
  readonly changes: readonly ChangeDoubt[];
  /** Payments being sent now, or whose process died; the next `paydrop pay` finds out which. */
  readonly underWay: readonly Instruction[];
}

export interface ChangeDoubt {
  readonly change: Change;
  /** Time since the change ended in doubt, or since its intent. */
  readonly ageMs: number;
  readonly choices: readonly Choice[];
}

/** The total number of unknown outcomes. */
export function countDoubts({ payments, changes, underWay }: DoubtReport): number {
  return payments.length + changes.length + underWay.length;
}

export async function listDoubts(workplace: Workplace): Promise<DoubtReport> {
  const now = workplace.context.clock.now();
  const whyNot = await whyNotSentAgain(workplace);
  return workplace.store.read(function* (): Transaction<DoubtReport> {
    const payments: Doubt[] = [];
    const witnessed = new Map<string, boolean>();
    for (const instruction of [...(yield* listByStanding("in doubt")), ...(yield* listByStanding("held"))])
      payments.push(yield* doubtOf(workplace, instruction, witnessed, whyNot));
    const changes = (yield* listOpenChanges()).map((change) => ({
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
  whyNot: Awaited<ReturnType<typeof whyNotSentAgain>>,
): Transaction<Doubt> {
  const { config, context } = workplace;
  const submissions = yield* listSubmissions(instruction.id);
  const submission = submissions.at(-1);
  const ofLast =
    submission === undefined
      ? UNSENT
      : yield* evidenceOf(workplace, submission, isPlainReference(instruction.fields.reference), witnessed);
  const evidence = {
    hasLeft: submissions.some(({ outcome }) => outcome !== "not sent"),
    acceptable: yield* listAcceptable(instruction),
    ...ofLast,
    ...present({
      whyNotSentAgain: instruction.standing === "in doubt" ? yield* whyNot(instruction) : undefined,
    }),
  };
  return {
    instruction,
    ...present({ submission }),
    looks: submission === undefined ? [] : yield* listLooks(submission.id),
    ageMs: ageMs(submission?.endedAt ?? submission?.intendedAt, context.clock.now()),
    choices: choicesForPayment(instruction, config.nonce.rule, evidence),
    evidence,
  };
}

type LastEvidence = Omit<DoubtEvidence, "hasLeft" | "acceptable" | "whyNotSentAgain">;

const UNSENT: LastEvidence = {
  isOvertaken: false,
  isWitnessed: false,
  settleLeftMs: 0,
  isForgotten: false,
};

/**
 * `witnessed` caches by key whether any of its payouts was ever found by a reference that is as plain as this one.
 */
function* evidenceOf(
  { config, context }: Workplace,
  submission: Submission,
  isPlain: boolean,
  witnessed: Map<string, boolean>,
): Transaction<LastEvidence> {
  const { keyId, nonce, intendedAt } = submission;
  const { memoryDays } = config.nonce;
  const key = `${keyId} ${isPlain}`;
  const isWitnessed = witnessed.get(key) ?? (yield* findWitness(keyId, isPlain)) !== undefined;
  witnessed.set(key, isWitnessed);
  return {
    isOvertaken: yield* isOvertaken(keyId, nonce),
    isWitnessed,
    settleLeftMs: yield* settleLeftMs(submission, config.doubt.settleMinutes, context.clock.monotonicMs()),
    isForgotten: memoryDays !== undefined && ageMs(intendedAt, context.clock.now()) >= memoryDays * DAY_MS,
  };
}

/** The rest of the settle window; all of it if another clock measured the end of the send. */
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
