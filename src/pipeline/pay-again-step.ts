/**
 * Pays once more on purpose: only if every submission was refused, if the payout failed without leaving, or if the
 * payment was abandoned and its request can no longer be carried out. The new payment has its own reference, is linked
 * to the earlier one, and is approved afresh.
 */
import {
  lookAtRefused,
  lookAtUnsent,
  lookBesideFailed,
  type PayAgainVerdict,
  whyAcceptFirst,
  whyNotProvenDead,
} from "../execution/index.ts";
import { type Fault, fault } from "../faults/index.ts";
import { type Instant, type Instruction, type PayoutId, payoutStateMeaning } from "../model/index.ts";
import { present } from "../model/present.ts";
import { departureOf, departureText, lookByIds, type ObservationTools } from "../observation/index.ts";
import { findAgain, insertAgain, removeAgain } from "../store/again.ts";
import { appendAudit } from "../store/audit.ts";
import { isWithdrawn } from "../store/batches.ts";
import { getByReference, getInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { findLastSubmission, listSubmissions } from "../store/submissions.ts";
import { type CreatedPayout, createPayoutStep } from "./create-payout-step.ts";
import { recognitionOf } from "./sending/execution-policy.ts";
import { underKeyOf, type Workplace } from "./workplace/workplace.ts";

export interface PayAgainRequest {
  /** The earlier payment's reference. */
  readonly reference: string;
  readonly newReference: string;
  readonly reason: string;
  readonly person: string;
}

/** Submits the new payment; it then awaits approval. Throws PAY_AGAIN_REFUSED, BATCH_UNKNOWN, or a ServiceFault. */
export async function payAgainStep(workplace: Workplace, request: PayAgainRequest): Promise<CreatedPayout> {
  const { store, context } = workplace;
  const { reference, newReference, reason, person } = request;
  const earlier = await store.read(() => getByReference(reference));
  const sight = await verdictOf(workplace, earlier);
  if ("obstacle" in sight)
    throw refused(reference, (await otherObstacle(workplace, earlier)) ?? sight.obstacle);
  const at = context.clock.now();
  // Reserved first, so that only one of two people who do this at once succeeds.
  await store.write(function* (): Transaction<void> {
    // It may have been re-opened since the look.
    const { standing } = yield* getInstruction(earlier.id);
    if (standing !== earlier.standing) throw refused(reference, `it is ${standing}`);
    const known = yield* findAgain(earlier.id);
    if (known === newReference) return;
    if (known !== undefined) throw refused(reference, `it is paid again as ${known}`);
    yield* insertAgain({ earlierId: earlier.id, reference: newReference, reason, person, at });
    yield* appendAudit({
      at,
      person,
      action: "pay again",
      subject: reference,
      detail: { as: newReference, reason, look: sight.evidence },
    });
  });
  const cells = cellsOf(earlier, newReference);
  const created = await createPayoutStep(workplace, { cells, submittedBy: person, approvedBy: [] });
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
  yield* removeAgain(id);
  yield* appendAudit({ at, person, action: "pay again rejected", subject, detail: { as: newReference } });
}

/** Looks for the earlier payment: why it must not be paid again, or the evidence that it may. */
async function verdictOf(workplace: Workplace, earlier: Instruction): Promise<PayAgainVerdict> {
  const { standing, payoutId, id, fields } = earlier;
  const { keyId, tools } = underKeyOf(workplace, fields.custodyAccountId).service();
  switch (standing) {
    case "refused":
    case "abandoned": {
      const submissions = await workplace.store.read(() => listSubmissions(id));
      if (standing === "abandoned" && submissions.every(({ outcome }) => outcome === "not sent"))
        return lookAtUnsent(tools, keyId, earlier, recognitionOf(workplace.config));
      if (submissions.every(({ outcome }) => outcome === "refused" || outcome === "not sent"))
        return lookAtRefused(tools, keyId, earlier);
      if (standing === "refused") return { obstacle: "one of its submissions was not refused" };
      const obstacle = await whyAbandonedNotAgain(workplace, earlier);
      return obstacle === undefined ? { evidence: "its nonce is dead, and it was not found" } : { obstacle };
    }
    case "accepted": {
      const obstacle =
        payoutId === undefined ? "its payout is not known" : await whyNotFailed(tools, payoutId);
      return obstacle === undefined ? lookBesideFailed(tools, keyId, earlier) : { obstacle };
    }
    default:
      return { obstacle: `it is ${standing}` };
  }
}

/** For an abandoned payment with a payout: the obstacle that a person can remove. */
async function otherObstacle(workplace: Workplace, earlier: Instruction): Promise<string | undefined> {
  if (earlier.standing !== "abandoned") return undefined;
  const { tools } = underKeyOf(workplace, earlier.fields.custodyAccountId).service();
  return whyAcceptFirst(tools, earlier);
}

/** Why a payout may have paid or may still pay; undefined if it failed without leaving. */
async function whyNotFailed(tools: ObservationTools, payoutId: PayoutId): Promise<string | undefined> {
  const shown = (await lookByIds(tools, [payoutId])).find((one) => one.payoutId === payoutId);
  if (shown === undefined) return `the service does not show its payout ${payoutId}`;
  if (payoutStateMeaning(shown.state) !== "failed") return `its payout is ${shown.state}`;
  // The look has stored what it saw, so this read covers earlier sightings as well.
  const departure = await tools.store.read(() => departureOf(payoutId));
  return departure && `its payout is ${shown.state}, but ${departureText(departure)}`;
}

async function whyAbandonedNotAgain(workplace: Workplace, earlier: Instruction): Promise<string | undefined> {
  const submission = await workplace.store.read(() => findLastSubmission(earlier.id));
  if (submission?.outcome !== "in doubt") return "the service shows something under its reference";
  const view = underKeyOf(workplace, earlier.fields.custodyAccountId);
  const { keyId, tools } = view.service();
  const { nonce, doubt } = view.config;
  const policy = {
    keyId,
    nonceRule: nonce.rule,
    settleMs: doubt.settleMinutes * 60_000,
    ...present({ nonceWindow: nonce.window }),
  };
  return whyNotProvenDead(tools, policy, earlier, submission);
}

/** The earlier payment's fields as text cells. */
function cellsOf({ fields }: Instruction, reference: string): Record<string, string> {
  const { amount, custodyAccountId, payOn: _, customFeeRateSatPerVbyte, ...others } = fields;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    reference,
    amount: amount.value.toString(),
    currency: amount.currency,
    accountId: custodyAccountId,
    ...present({ customFeeRate: customFeeRateSatPerVbyte?.toString() }),
  };
}

function refused(reference: string, reason: string): Fault {
  return fault("PAY_AGAIN_REFUSED", { reason }, { reference });
}
