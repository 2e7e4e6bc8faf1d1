/**
 * Intents: one durable transaction that repeats every check except the look, and stores the requests that are about
 * to be sent.
 */
import { invariant, type Problem } from "../../faults/index.ts";
import type { Instruction, Intent, Submission } from "../../model/index.ts";
import { beginSending } from "../../store/begin-sending.ts";
import { allocateNonce, lastNonce } from "../../store/nonces.ts";
import { Spending } from "../../store/spending.ts";
import type { Transaction } from "../../store/sql.ts";
import { insertIntents, listAttempts } from "../../store/submissions.ts";
import { type BusinessFields, bodyHash } from "./creation-body.ts";
import { whyNotNow } from "./send-rules.ts";
import { spend } from "./spend.ts";
import type { Creation, ExecutionPolicy, ReleaseStamps } from "./tools.ts";

export interface Intention {
  readonly instruction: Instruction;
  readonly creation: Creation;
  readonly fields: BusinessFields;
}

export type IntentResult =
  | {
      readonly kind: "intended";
      readonly submissionId: number;
      readonly nonce: bigint;
      readonly attempt: number;
      /** Whether the transport gets this nonce for the first time. An attempt that never left counts too. */
      readonly isFirstOfNonce: boolean;
    }
  /** Not sent now; the instruction keeps its standing. */
  | { readonly kind: "postponed"; readonly problem: Problem };

/** Send only after the transaction has committed. Results are in the order of `intentions`. */
export function* writeIntents(
  intentions: readonly Intention[],
  baseUrl: string,
  now: string,
  policy: ExecutionPolicy,
): Transaction<IntentResult[]> {
  const checked = yield* checkAll(intentions, baseUrl, now, policy);
  const nonces = yield* noncesFor(checked, now, policy);
  const intended = checked.map((check) =>
    "problem" in check ? check : { ...check, intent: intentOf(check) },
  );
  const ids = yield* insertIntents(intended.flatMap((each) => ("problem" in each ? [] : [each.intent])));
  const results: IntentResult[] = [];
  for (const each of intended) {
    if ("problem" in each) {
      results.push({ kind: "postponed", problem: each.problem });
      continue;
    }
    const { intention, attempts, intent } = each;
    const { nonce, attempt, instructionId } = intent;
    yield* beginSending(intention.instruction, now);
    const submissionId = ids.get(instructionId);
    invariant(submissionId !== undefined, "an inserted intent has an id");
    const isFirstOfNonce = attempts.every((earlier) => earlier.nonce !== nonce || earlier.sends === 0);
    results.push({ kind: "intended", submissionId, nonce, attempt, isFirstOfNonce });
  }
  return results;

  function intentOf({ intention: { instruction, creation, fields }, attempts }: Payable): Intent {
    const earlier = attempts.at(-1);
    return {
      instructionId: instruction.id,
      attempt: (earlier?.attempt ?? 0) + 1,
      keyId: policy.keyId,
      nonce: nonces(earlier),
      operation: creation.operation,
      baseUrl,
      bodyHash: bodyHash(fields),
      intendedAt: now,
    };
  }
}

interface Payable {
  readonly intention: Intention;
  readonly attempts: readonly Submission[];
}

/** Says why intentions may not be paid now; counts the others against today's limits. */
function* checkAll(
  intentions: readonly Intention[],
  baseUrl: string,
  now: string,
  policy: ExecutionPolicy,
): Transaction<(Payable | { readonly problem: Problem })[]> {
  const stopOrder = policy.stopOrder();
  const spending = new Spending(policy.dayOf(now));
  const stamps: ReleaseStamps = new Map();
  const earlier = yield* listAttempts(intentions.map(({ instruction }) => instruction.id));
  const checked: (Payable | { readonly problem: Problem })[] = [];
  for (const intention of intentions) {
    const { instruction, creation } = intention;
    const attempts = earlier.get(instruction.id) ?? [];
    const why =
      (yield* whyNotNow(instruction, { ...creation, baseUrl }, stopOrder, now, policy, stamps)) ??
      (yield* spend(instruction, attempts, spending, policy));
    checked.push(why === undefined ? { intention, attempts } : { problem: why });
  }
  yield* spending.save();
  return checked;
}

/**
 * Returns a function from an intention's last attempt to its nonce. An attempt of this key that provably never left
 * keeps its nonce if the rule is `unique`, or if it is the highest one. Everything else gets a new nonce, also a
 * refused payment that was re-opened, because the refusal may have used its nonce up.
 */
function* noncesFor(
  checked: readonly (Payable | { readonly problem: Problem })[],
  now: string,
  { keyId, nonceRule, nonceFloor, nonceWindow, openedAt }: ExecutionPolicy,
): Transaction<(earlier: Submission | undefined) => bigint> {
  const last = yield* lastNonce(keyId);
  const keptNonce = (earlier: Submission | undefined) => {
    const neverLeft = earlier?.keyId === keyId && earlier.outcome === "not sent";
    return neverLeft && (nonceRule === "unique" || earlier.nonce === last) ? earlier.nonce : undefined;
  };
  const fresh = checked.filter(
    (check) => !("problem" in check) && keptNonce(check.attempts.at(-1)) === undefined,
  ).length;
  const instant = nonceWindow === undefined ? now : openedAt;
  let next = fresh === 0 ? last : yield* allocateNonce(keyId, instant, nonceFloor, fresh);
  return (earlier) => keptNonce(earlier) ?? next++;
}
