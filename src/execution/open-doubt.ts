/** What every decision of a person begins with: who says so, and how the payment stands that it is about. */
import { type Fault, fault } from "../faults/index.ts";
import type { Instruction, Standing, Submission } from "../model/index.ts";
import { knownByReference } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { findLastSubmission } from "../store/submissions.ts";
import type { ExecutionTools } from "./tools.ts";

export interface Decision {
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

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
    const instruction = yield* knownByReference(reference);
    const { standing } = instruction;
    if (!isRight(standing)) throw refused(reference, `it is ${standing}, neither in doubt nor held`);
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}

export function refused(reference: string, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { reference });
}
