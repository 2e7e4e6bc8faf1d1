/** The intent: one durable transaction that checks everything once more and writes what is about to be sent. */
import { type Problem, problem } from "../faults/index.ts";
import type { Instruction, Submission } from "../model/index.ts";
import { formatAmount } from "../money/index.ts";
import { moveInstruction } from "../store/instructions.ts";
import { addSpent, allocateNonce, lastNonce } from "../store/lane.ts";
import type { Transaction } from "../store/sql.ts";
import { findLastSubmission, insertIntent } from "../store/submissions.ts";
import { bodyHash, businessFields } from "./creation-body.ts";
import type { Creation, ExecutionPolicy } from "./tools.ts";

export type IntentResult =
  | {
      readonly kind: "intended";
      readonly submissionId: number;
      readonly nonce: bigint;
      readonly attempt: number;
      /** No earlier attempt took this nonce, not even one that never left. */
      readonly isFirstOfNonce: boolean;
    }
  /** Not now: the instruction stays where it is. */
  | { readonly kind: "postponed"; readonly problem: Problem };

/** Runs inside one write transaction; when it commits, and not before, the request may leave. */
export function* writeIntent(
  instruction: Instruction,
  creation: Creation,
  baseUrl: string,
  now: string,
  policy: ExecutionPolicy,
): Transaction<IntentResult> {
  const { fields, batchId, id } = instruction;
  const reason = policy.stopped();
  if (reason !== undefined) {
    return {
      kind: "postponed",
      problem: problem("SENDING_STOPPED", { reason }, { reference: fields.reference }),
    };
  }
  const ends = policy.approvalEnds(batchId, fields.payOn);
  if (ends === undefined || ends <= now) {
    return {
      kind: "postponed",
      problem: problem("APPROVAL_EXPIRED", { batch: batchId }, { reference: fields.reference }),
    };
  }
  const earlier = yield* findLastSubmission(id);
  const countsAlready = earlier !== undefined;
  const overLimit = countsAlready ? undefined : yield* spend(instruction, now, policy);
  if (overLimit !== undefined) return { kind: "postponed", problem: overLimit };

  const nonce = yield* nonceFor(earlier, now, policy);
  const attempt = (earlier?.attempt ?? 0) + 1;
  const submissionId = yield* insertIntent({
    instructionId: id,
    attempt,
    keyId: policy.keyId,
    nonce,
    operation: creation.operation,
    baseUrl,
    bodyHash: bodyHash(businessFields(instruction, creation)),
    intendedAt: now,
  });
  yield* moveInstruction(id, { to: "sending", at: now });
  const isFirstOfNonce = earlier?.nonce !== nonce;
  return { kind: "intended", submissionId, nonce, attempt, isFirstOfNonce };
}

/** Counts the amount against today's limit. A limit that would be exceeded leaves the sum as it was: the caller writes nothing. */
function* spend(
  { fields }: Instruction,
  now: string,
  policy: ExecutionPolicy,
): Transaction<Problem | undefined> {
  const { amount, reference } = fields;
  const limit = policy.limitPerDay[amount.currency];
  if (limit === undefined)
    return problem("CURRENCY_WITHOUT_LIMIT", { currency: amount.currency }, { reference });
  const sum = yield* addSpent(policy.dayOf(now), amount);
  if (sum.compare(limit) <= 0) return undefined;
  yield* addSpent(policy.dayOf(now), { currency: amount.currency, value: amount.value.negated() });
  return problem(
    "DAY_LIMIT_REACHED",
    { amount: formatAmount(amount), limit: limit.toString() },
    { reference },
  );
}

/**
 * An earlier attempt that provably never left keeps its nonce, if the key is still the same. Where nonces must rise and a
 * higher one has been taken since, it takes a new one: the old one was never seen by anybody. So does what was refused and
 * then re-opened: its nonce may have been used up by the refusal, and nothing was done under it.
 */
function* nonceFor(
  earlier: Submission | undefined,
  now: string,
  policy: ExecutionPolicy,
): Transaction<bigint> {
  if (earlier?.keyId === policy.keyId && earlier.outcome === "not sent") {
    const isStillLast = (yield* lastNonce(policy.keyId)) === earlier.nonce;
    if (policy.nonceRule === "unique" || isStillLast) return earlier.nonce;
  }
  return yield* allocateNonce(policy.keyId, now, policy.nonceFloor);
}
