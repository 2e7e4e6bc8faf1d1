/** A person's decision about a payment, and the fault that refuses it. */
import { type Fault, fault } from "../../../faults/index.ts";
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
export function decisionRefused(reference: string, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { reference });
}

/** Why the payment with this reference is not paid another way, in words. */
export function paidAgainAs(earlier: string, { reference, standing }: PaidAgain): string {
  return standing === undefined
    ? `paying it again as ${reference} was begun and not submitted; \`paydrop pay again ` +
        `${JSON.stringify(earlier)} --as ${JSON.stringify(reference)} --reason WHY\` goes on with it`
    : `it is paid again as ${reference}`;
}

/** A payment to be decided, with its latest submission. */
export interface OpenDoubt {
  readonly instruction: Instruction;
  readonly submission: Submission | undefined;
}

const isOpen = (standing: Standing): boolean => standing === "in doubt" || standing === "held";

/**
 * Reads a payment whose standing `isRight` allows, by default in doubt or held. Throws DECISION_REFUSED for any other.
 */
export function openDoubt(
  { store }: ExecutionTools,
  reference: string,
  isRight = isOpen,
): Promise<OpenDoubt> {
  return store.read(function* (): Transaction<OpenDoubt> {
    const instruction = yield* getByReference(reference);
    const { standing } = instruction;
    if (!isRight(standing))
      throw decisionRefused(reference, `it is ${standing}, and there is nothing to decide in this way`);
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}
