/** A draft with its destination in the forms that screening compares and shows. */
import { comparableDestination, type DraftInstruction, destinationField } from "../../model/index.ts";

export interface Payment {
  readonly draft: DraftInstruction;
  /** In comparable form. */
  readonly destination: string;
  /** As written in the file. */
  readonly shown: string;
  /** Plain decimal digits. */
  readonly amount: string;
}

export function paymentOf(draft: DraftInstruction): Payment {
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  const amount = draft.fields.amount.value.toString();
  return { draft, destination: comparableDestination(shown), shown, amount };
}
