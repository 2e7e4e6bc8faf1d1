/** A draft with its destination as screening compares it and as people are shown it. */
import { comparableDestination, type DraftInstruction, destinationField } from "../../model/index.ts";

export interface Payment {
  readonly draft: DraftInstruction;
  /** In comparable form. */
  readonly destination: string;
  /** As the file has it. */
  readonly shown: string;
  /** In plain digits. */
  readonly amount: string;
}

export function paymentOf(draft: DraftInstruction): Payment {
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  const amount = draft.fields.amount.value.toString();
  return { draft, destination: comparableDestination(shown), shown, amount };
}
