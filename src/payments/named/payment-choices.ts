/**
 * The decisions that a person may take about a payment that has ended, or whose payout was found: to pay it again,
 * or to accept that payout.
 */

import {
  type Instruction,
  mayBeAccepted,
  type ObservedPayout,
  payoutStateMeaning,
  type Submission,
} from "../../model/index.ts";
import { knownByIds } from "../../observation/index.ts";
import { findPayAgain } from "../../store/pay-again.ts";
import type { Transaction } from "../../store/sql.ts";
import { listSubmissions } from "../../store/submissions.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { listAcceptable } from "../sending/index.ts";

export interface PaymentChoices {
  /** Whether the stored facts allow it; the look right before paying decides. */
  readonly mayPayAgain: boolean;
  /** Payouts that looks have shown and that may be this payment, other than its own payout. */
  readonly found: readonly ObservedPayout[];
}

export function paymentChoices(
  { store }: Pick<Workplace, "store">,
  instruction: Instruction,
): Promise<PaymentChoices> {
  return store.read(function* (): Transaction<PaymentChoices> {
    const { id, payoutId, standing } = instruction;
    const acceptable = mayBeAccepted(standing) ? yield* listAcceptable(instruction) : [];
    const known = yield* knownByIds(acceptable.filter((each) => each !== payoutId));
    const isPaidAgain = (yield* findPayAgain(id))?.standing !== undefined;
    return { mayPayAgain: !isPaidAgain && (yield* hasEnded(instruction)), found: [...known.values()] };
  });
}

/**
 * Whether the payment was refused, was given up before anything left, or was accepted with a payout that failed.
 */
function* hasEnded({ id, standing, payoutId }: Instruction): Transaction<boolean> {
  const neverTaken = ({ outcome }: Submission) => outcome === "refused" || outcome === "not sent";
  if (standing === "refused" || standing === "abandoned")
    return (yield* listSubmissions(id)).every(neverTaken);
  if (standing !== "accepted" || payoutId === undefined) return false;
  const payout = (yield* knownByIds([payoutId])).get(payoutId);
  return payout !== undefined && payoutStateMeaning(payout.state) === "failed";
}
