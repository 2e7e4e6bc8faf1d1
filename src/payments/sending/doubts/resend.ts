/**
 * The only way a submission in doubt is sent again: with the same nonce, operation, base URL, key and business
 * fields, so that a service which takes a nonce once cannot carry it out twice. `whyNotResent` decides whether it
 * may be sent automatically; a person may order more.
 */
import { momentOf } from "../../../context/clock.ts";
import { Fault, type Problem, problem } from "../../../faults/index.ts";
import {
  elapsedMs,
  type Instruction,
  isPlainReference,
  type Moment,
  type Outcome,
  type Submission,
} from "../../../model/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import { recordLook } from "../../../store/looks.ts";
import { Spending } from "../../../store/spending.ts";
import type { Transaction } from "../../../store/sql.ts";
import {
  isOvertaken,
  lastSentAt,
  recordResend,
  recordSendEnded,
  recordSendWithheld,
} from "../../../store/submissions.ts";
import { longestLagMs } from "../../../store/visibility.ts";
import { type BusinessFields, bodyHash, businessFields, creationBody } from "../creation-body.ts";
import { outcomeOf } from "../outcome.ts";
import { custodyAccountGone, SEND_WITHIN_MS, whyNotNow, whyNotWritten } from "../send-rules.ts";
import { settle, whyNotOwnPayout } from "../settle.ts";
import { spend } from "../spend.ts";
import type { ExecutionTools } from "../tools.ts";
import { type Absence, neverFound } from "./witnessed-look.ts";

/** Recorded when a look found nothing but the re-send did not leave. */
const LOOKED_AND_WITHHELD = "not found, and it was about to be sent again";

/** Upper bound on automatic sends of one submission, the first one included. */
const SENDS_MAX = 4;

/** A look that does not show a payment. */
export interface Unseen {
  readonly absence: Absence;
  /** When the look began, on the machine's monotonic clock. */
  readonly askedMs: number;
}

/**
 * Why a submission must not be re-sent automatically; undefined if it may. The look without it must have begun after
 * the settle window: when this check comes is no measure, because other doubts may delay it.
 */
export function* whyNotResent(
  tools: ExecutionTools,
  submission: Submission,
  instruction: Instruction,
  { absence, askedMs }: Unseen,
): Transaction<string | undefined> {
  const { policy, context } = tools;
  const { nonce, keyId, sends, endedMonotonicMs } = submission;
  if (policy.nonceRule === "unknown")
    return "`nonce.rule: unknown`: nothing says that the service takes a nonce once";
  if (endedMonotonicMs === undefined) return "this machine's clock did not measure when it was sent";
  if (absence.worth === "unproven") return "the look was incomplete";
  const waitedMs = elapsedMs(endedMonotonicMs, askedMs);
  if (waitedMs < policy.settleMs) {
    return `it may still show: ${minutes(policy.settleMs - waitedMs)} of the settle window are left`;
  }
  if (sends >= SENDS_MAX) return `it was sent ${sends} times`;
  if (absence.worth === "unwitnessed") return neverFound(isPlainReference(instruction.fields.reference));
  const lagMs = yield* longestLagMs(keyId);
  if (lagMs > policy.settleMs / 4) return `a payout took longer than ${minutes(lagMs)} to show`;
  if (policy.nonceRule === "increasing" && (yield* isOvertaken(keyId, nonce))) {
    return "a higher nonce has been used since";
  }
  if (policy.nonceRule === "unique") {
    const sinceMs = elapsedMs(endedMonotonicMs, context.clock.monotonicMs());
    const forgotten = yield* whyForgotten(tools, submission, sinceMs);
    if (forgotten !== undefined) return forgotten;
  }
  return (yield* prohibition(tools, submission, instruction))?.message;
}

/** Why nobody may re-send now; undefined if allowed. Counts the amount in `spending` but stores nothing. */
export function* prohibition(
  tools: ExecutionTools,
  submission: Submission,
  instruction: Instruction,
  spending: Spending = new Spending(tools.policy.dayOf(tools.context.clock.now())),
): Transaction<Problem | undefined> {
  const { policy, gateway, context } = tools;
  const { reference, custodyAccountId } = instruction.fields;
  const creation = policy.creationOf(custodyAccountId);
  if (creation === undefined) return custodyAccountGone(instruction);
  const isSame =
    bodyHash(businessFields(instruction, creation)) === submission.bodyHash &&
    creation.operation === submission.operation &&
    gateway.baseUrl === submission.baseUrl &&
    policy.keyId === submission.keyId;
  if (!isSame) return problem("SUBMISSION_CHANGED", {}, { reference });
  const why = yield* whyNotNow(
    instruction,
    { ...creation, baseUrl: gateway.baseUrl },
    policy.stopOrder(),
    context.clock.now(),
    policy,
  );
  if (why !== undefined) return why;
  return yield* spend(instruction, [submission], spending, policy);
}

/**
 * Why the service may have forgotten the nonce; undefined while it certainly remembers it. That is while the submission
 * is younger than `nonceMemoryMs` by both clocks, and no send lies in the future of the wall clock.
 */
function* whyForgotten(
  { policy: { nonceMemoryMs }, context: { clock } }: ExecutionTools,
  { keyId, intendedAt }: Submission,
  sinceMs: number,
): Transaction<string | undefined> {
  if (nonceMemoryMs === undefined)
    return "`nonce.memoryDays` does not say how long the service remembers a nonce";
  const now = clock.now();
  const lastSent = (yield* lastSentAt(keyId)) ?? intendedAt;
  const wentBack = intendedAt > now || lastSent > now;
  const ageMs = Math.max(Date.parse(now) - Date.parse(intendedAt), sinceMs);
  return !wentBack && ageMs < nonceMemoryMs ? undefined : "the service may have forgotten its nonce";
}

export interface ResendOrder {
  /** Who ordered it, for the audit. */
  readonly person: string;
  /** A fresh one-time code; empty if none is needed. */
  readonly otpCode: string;
  /** Asked right before the first byte is written. */
  readonly mayStillSend: () => boolean;
}

/**
 * Sends a submission in doubt again; it ends accepted or stays in doubt. The caller has made sure that it may be
 * sent. Throws the `prohibition` before anything is sent.
 */
export async function resend(
  tools: ExecutionTools,
  submission: Submission,
  instruction: Instruction,
  { person, otpCode, mayStillSend }: ResendOrder,
): Promise<Outcome> {
  const { context, store, gateway, policy } = tools;
  const creation = policy.creationOf(instruction.fields.custodyAccountId);
  if (creation === undefined) throw new Fault(custodyAccountGone(instruction));
  const fields = businessFields(instruction, creation);
  await store.write(() => announceResend(tools, submission, instruction, fields, person));
  const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
  const body = creationBody(fields, submission.nonce, otpCode);
  const stopBeforeWrite = () => whyNotWritten(tools, sendBeforeMs, mayStillSend);
  const answer = await gateway.call(creation.operation, body, { stopBeforeWrite });
  const outcome = outcomeOf(creation, answer, submission.sends + 1);
  const moment = momentOf(context.clock);
  return store.write(() => settleResend(submission, instruction, outcome, moment));
}

/** The re-send's intent: checks again that it is allowed, and records it before the request leaves. */
function* announceResend(
  tools: ExecutionTools,
  submission: Submission,
  instruction: Instruction,
  fields: BusinessFields,
  person: string,
): Transaction<void> {
  const { context, policy } = tools;
  const leaving = momentOf(context.clock);
  const { at } = leaving;
  const spending = new Spending(policy.dayOf(at));
  const prohibited = yield* prohibition(tools, submission, instruction, spending);
  if (prohibited !== undefined) throw new Fault(prohibited);
  yield* spending.save();
  yield* recordResend(submission.id, bodyHash(fields), leaving);
  const { reference: subject } = instruction.fields;
  const detail = { nonce: submission.nonce.toString(), send: submission.sends + 1 };
  yield* appendAudit({ at, person, action: "payout sent again", subject, detail });
}

/** Stores the answer to the re-send; returns the submission's outcome: accepted, or still in doubt. */
function* settleResend(
  submission: Submission,
  instruction: Instruction,
  outcome: Outcome,
  moment: Moment,
): Transaction<Outcome> {
  if (outcome.kind === "not sent") {
    yield* recordSendWithheld(submission);
    yield* recordLook(submission.id, { saw: LOOKED_AND_WITHHELD, notSent: outcome.evidence }, moment.at);
    const { evidence = "sent" } = submission;
    return { kind: "in doubt", evidence: `${evidence}; not sent again: ${outcome.evidence}` };
  }
  const another =
    outcome.kind === "accepted" ? yield* whyNotOwnPayout(instruction, outcome.payoutId) : undefined;
  if (outcome.kind === "accepted" && another === undefined) {
    yield* settle(submission.id, instruction, outcome, moment);
    return outcome;
  }
  // Any other answer leaves the doubt: an earlier send may have been carried out.
  const why = another === undefined ? "" : `, ${another}`;
  const evidence = `sent again at ${moment.at}: ${outcome.evidence}${why}`;
  yield* recordSendEnded(submission.id, evidence, moment);
  return { kind: "in doubt", evidence };
}

function minutes(durationMs: number): string {
  return `${Math.ceil(durationMs / 60_000)} min`;
}
