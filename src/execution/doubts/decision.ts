/** A person's decision about a payment: what it is about, and its refusal. */
import { type Fault, fault } from "../../faults/index.ts";
import type { Instruction, Standing, Submission } from "../../model/index.ts";
import { getByReference } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { findLastSubmission } from "../../store/submissions.ts";
import type { ExecutionTools } from "../tools.ts";

export interface Decision {
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

/** `reference`: of the payment, or what else was named. */
export function decisionRefused(reference: string, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { reference });
}

/** A payment that is open, and the last that was sent of it. */
export interface OpenDoubt {
  readonly instruction: Instruction;
  readonly submission: Submission | undefined;
}

const isOpen = (standing: Standing): boolean => standing === "in doubt" || standing === "held";

/** Throws DECISION_REFUSED for a payment that stands otherwise. */
export function openDoubt(
  { store }: ExecutionTools,
  reference: string,
  isRight = isOpen,
): Promise<OpenDoubt> {
  return store.read(function* (): Transaction<OpenDoubt> {
    const instruction = yield* getByReference(reference);
    const { standing } = instruction;
    if (!isRight(standing))
      throw decisionRefused(reference, `it is ${standing}, and there is nothing to decide so`);
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}
