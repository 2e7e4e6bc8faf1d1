/**
 * The intent of a change: one durable transaction that allocates the nonce and stores the request that is about to
 * be sent.
 */
import { fault } from "../../../faults/index.ts";
import { type ChangeIntent, minuteText } from "../../../model/index.ts";
import { appendAudit } from "../../../store/audit.ts";
import { findChanges, insertChange } from "../../../store/changes.ts";
import { allocateNonce } from "../../../store/nonces.ts";
import type { Transaction } from "../../../store/sql.ts";
import { listInDoubt, listUnderWay } from "../../../store/submissions.ts";
import type { ExecutionPolicy } from "../tools.ts";

export interface IntendedChange {
  readonly id: number;
  readonly nonce: bigint;
}

/** Send only after the transaction has committed. Throws LANE_PAUSED and DEPOSIT_ALREADY_ASKED_FOR. */
export function* writeChangeIntent(
  intent: Omit<ChangeIntent, "keyId" | "nonce">,
  policy: Pick<ExecutionPolicy, "keyId" | "nonceRule" | "nonceFloor">,
  givenNonce?: bigint,
): Transaction<IntendedChange> {
  const { operation, subject, correlation, person, intendedAt } = intent;
  const { keyId, nonceRule, nonceFloor } = policy;
  if (nonceRule === "increasing") yield* refuseOvertaking(keyId);
  if (correlation !== "") yield* refuseRepetition(subject);
  const nonce = givenNonce ?? (yield* allocateNonce(keyId, intendedAt, nonceFloor));
  const id = yield* insertChange({ ...intent, keyId, nonce });
  const detail = { nonce: nonce.toString() };
  yield* appendAudit({ at: intendedAt, person, action: `${operation} intended`, subject, detail });
  return { id, nonce };
}

/**
 * With an increasing rule, a higher nonce would invalidate the request of a payout in doubt that may yet arrive.
 */
function* refuseOvertaking(keyId: string): Transaction<void> {
  const open = [...(yield* listInDoubt()), ...(yield* listUnderWay())];
  if (open.some((submission) => submission.keyId === keyId)) throw fault("LANE_PAUSED", {});
}

/** One deposit per reference: a second one requested by mistake would be a second address for the same money. */
function* refuseRepetition(reference: string): Transaction<void> {
  const [earlier] = yield* findChanges(reference);
  if (earlier === undefined) return;
  const { depositId = "not known yet", intendedAt, person } = earlier;
  const when = minuteText(intendedAt);
  throw fault("DEPOSIT_ALREADY_ASKED_FOR", { when, person, depositId }, { reference });
}
