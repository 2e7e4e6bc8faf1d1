/** What a person decides about: a payment that is open, and the last that was sent of it. */
import type { Instruction, Standing, Submission } from "../../model/index.ts";
import { getByReference } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { findLastSubmission } from "../../store/submissions.ts";
import type { ExecutionTools } from "../tools.ts";
import { decisionRefused } from "./decision.ts";

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
    if (!isRight(standing)) throw decisionRefused(reference, `it is ${standing}, neither in doubt nor held`);
    return { instruction, submission: yield* findLastSubmission(instruction.id) };
  });
}
