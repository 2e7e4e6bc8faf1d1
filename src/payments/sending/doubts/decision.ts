/** A person's decision about a payment, and the fault that refuses it. */
import { type Fault, fault, type Reason } from "../../../faults/index.ts";
import type { Instruction, Standing, Submission } from "../../../model/index.ts";
import { getByReference } from "../../../store/instructions.ts";
import type { PaidAgain } from "../../../store/pay-again.ts";
import type { Transaction } from "../../../store/sql.ts";
import { findLastSubmission } from "../../../store/submissions.ts";
import type { ExecutionTools } from "../tools.ts";

/** The command-line option by which a person abandons despite a look that was incomplete or impossible. */
export const DESPITE_INCOMPLETE_LOOK = "--despite-incomplete-look";

export interface Decision {
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

/** `reference`: the payment's reference, or another name that the decision used. */
export function decisionRefused(reference: string, why: Reason<"DECISION_REFUSED">): Fault {
  return fault("DECISION_REFUSED", why, { reference });
}

/** Why the payment with this reference is not paid another way. */
export function paidAgainAs(earlier: string, { reference: as, standing }: PaidAgain) {
  return standing === undefined
    ? ({
        reason: "begun-again",
        as,
        quoted: JSON.stringify(earlier),
        quotedAs: JSON.stringify(as),
      } as const)
    : ({ reason: "paid-again", as } as const);
}

/** A payment to be decided, with its latest submission. */
export interface OpenDoubt {
  readonly instruction: Instruction;
  readonly submission: Submission | undefined;
}

const isOpen = (standing: Standing): boolean => standing === "in doubt" || standing === "held";

/** Reads a payment in doubt or held, or of a standing that `mayDecide` allows. Throws DECISION_REFUSED otherwise. */
export function openDoubt(
  { store }: ExecutionTools,
  reference: string,
  mayDecide = isOpen,
): Promise<OpenDoubt> {
  return store.read(function* (): Transaction<OpenDoubt> {
    const instruction = yield* getByReference(reference);
    const { standing } = instruction;
    if (!mayDecide(standing)) throw decisionRefused(reference, { reason: "undecidable", standing });
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}
