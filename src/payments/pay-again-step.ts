/**
 * Pays again on purpose: only if every submission was refused, if no request ever left, or if the payout failed
 * without leaving. A payment abandoned in doubt is never paid again, because no look proves that it was not paid.
 * The new payment has its own reference, is linked to the earlier one, and needs an approval of its own.
 */

import { type Fault, fault, type Reason } from "../faults/index.ts";
import type { Instant, Instruction } from "../model/index.ts";
import { present } from "../model/present.ts";
import { proveDecision } from "../proof/prove.ts";
import { appendAudit } from "../store/audit.ts";
import { isWithdrawn } from "../store/batches.ts";
import { getByReference, getInstruction } from "../store/instructions.ts";
import { findPayAgain, insertPayAgain, removePayAgain } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { underKeyOf, type Workplace } from "../workplace/workplace.ts";
import { type CreatedPayout, createPayoutStep } from "./create-payout-step.ts";
import { lookBeforePayAgain, paidAgainAs } from "./sending/index.ts";

export interface PayAgainRequest {
  /** The earlier payment's reference. */
  readonly reference: string;
  readonly newReference: string;
  readonly reason: string;
  readonly person: string;
}

/**
 * Submits the new payment; it then awaits approval. Throws PAY_AGAIN_REFUSED, BATCH_UNKNOWN, CONFIGURATION_DIFFERS,
 * or a ServiceFault.
 */
export async function payAgainStep(workplace: Workplace, request: PayAgainRequest): Promise<CreatedPayout> {
  const earlier = await beginPayAgain(workplace, request);
  return submitAgain(workplace, request, earlier);
}

/**
 * The second half of `payAgainStep`, for a face that asks for one signature at a time: submits the new payment
 * after the decision was recorded. Looks again, because time has passed. Throws what `payAgainStep` throws.
 */
export async function goOnPayAgain(workplace: Workplace, request: PayAgainRequest): Promise<CreatedPayout> {
  const { earlier } = await lookBefore(workplace, request.reference);
  const begun = await workplace.store.read(() => findPayAgain(earlier.id));
  if (begun?.reference !== request.newReference) throw refused(request.reference, { reason: "undecided" });
  return submitAgain(workplace, request, earlier);
}

async function lookBefore(workplace: Workplace, reference: string) {
  await checkAgreement(workplace);
  const earlier = await workplace.store.read(() => getByReference(reference));
  const { keyId, tools } = underKeyOf(workplace, earlier.fields.custodyAccountId).service();
  const verdict = await lookBeforePayAgain(tools, keyId, earlier);
  if ("obstacle" in verdict) throw refused(reference, { reason: "look", obstacle: verdict.obstacle });
  return { earlier, verdict };
}

/**
 * The first half of `payAgainStep`: has the decision signed and records it. Returns the earlier payment. Throws
 * what `payAgainStep` throws.
 */
export async function beginPayAgain(workplace: Workplace, request: PayAgainRequest): Promise<Instruction> {
  const { store, context } = workplace;
  const { reference, newReference, reason, person } = request;
  const { earlier, verdict } = await lookBefore(workplace, reference);
  await proveDecision(workplace, {
    decision: "pay again",
    person,
    subject: reference,
    reason,
    detail: { as: newReference },
  });
  const at = context.clock.now();
  // Reserves the earlier payment first, so that only one of two simultaneous requests succeeds.
  await store.write(function* (): Transaction<void> {
    // It may have been re-opened since the look.
    const { standing } = yield* getInstruction(earlier.id);
    if (standing !== earlier.standing) throw refused(reference, { reason: "standing", standing });
    const known = yield* findPayAgain(earlier.id);
    if (known?.reference === newReference) return;
    if (known !== undefined) throw refused(reference, paidAgainAs(reference, known));
    yield* insertPayAgain({ earlierId: earlier.id, reference: newReference, reason, person, at });
    yield* appendAudit({
      at,
      person,
      action: "pay again",
      subject: reference,
      detail: { as: newReference, reason, look: verdict.evidence },
    });
  });
  return earlier;
}

async function submitAgain(
  workplace: Workplace,
  request: PayAgainRequest,
  earlier: Instruction,
): Promise<CreatedPayout> {
  const { store, context } = workplace;
  const cells = cellsOf(earlier, request.newReference);
  const created = await createPayoutStep(workplace, { cells, submittedBy: request.person, approvedBy: [] });
  if (!(await isMade(workplace, created)))
    await store.write(() => giveUp(earlier, request, context.clock.now()));
  return created;
}

/** Whether the new payment exists: created now, or by the same request earlier and not withdrawn since. */
async function isMade({ store }: Workplace, { instruction, submitted }: CreatedPayout): Promise<boolean> {
  if (instruction !== undefined) return true;
  const { knownAs } = submitted;
  return knownAs !== undefined && !(await store.read(() => isWithdrawn(knownAs)));
}

/** Frees the earlier payment because the new one was rejected, for instance for a used reference. */
function* giveUp(
  { id, fields: { reference: subject } }: Instruction,
  { newReference, person }: PayAgainRequest,
  at: Instant,
): Transaction<void> {
  if (!(yield* removePayAgain(id, newReference))) return;
  yield* appendAudit({ at, person, action: "pay again rejected", subject, detail: { as: newReference } });
}

/** The earlier payment's fields as text cells. */
function cellsOf({ fields }: Instruction, reference: string): Record<string, string> {
  const { amount, custodyAccountId, payOn: _, customFeeRateSatPerVbyte, ...others } = fields;
  const filled = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(filled.map(([name, value]) => [name, String(value)])),
    reference,
    amount: amount.value.toString(),
    currency: amount.currency,
    accountId: custodyAccountId,
    ...present({ customFeeRate: customFeeRateSatPerVbyte?.toString() }),
  };
}

function refused(reference: string, why: Reason<"PAY_AGAIN_REFUSED">): Fault {
  return fault("PAY_AGAIN_REFUSED", why, { reference });
}
