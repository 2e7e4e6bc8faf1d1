/** A person's decision about a payment, and its refusal. */
import { type Fault, fault } from "../../faults/index.ts";

export interface Decision {
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

/** `reference`: of the payment, or what else was named. */
export function decisionRefused(reference: string, reason: string): Fault {
  return fault("DECISION_REFUSED", { reason }, { reference });
}
