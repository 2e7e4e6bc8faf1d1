/** A draft with its destination in the forms that screening compares and shows. */
import { comparableDestination, type DraftInstruction, destinationField } from "../../model/index.ts";

export interface ScreenedDraft extends DraftInstruction {
  /** Its line in the file; a stored batch knows only its row. */
  readonly line?: number;
}

export interface Payment {
  readonly draft: ScreenedDraft;
  /** In comparable form. */
  readonly destination: string;
  /** As written in the file. */
  readonly shown: string;
  /** Plain decimal digits. */
  readonly amount: string;
}

/** The number by which people find the payment: of its line as a spreadsheet counts, or of its row in `status BATCH`. */
export function placeOf({ line, row }: ScreenedDraft): number {
  return line ?? row;
}

/** Another such number among the same payments, in words. */
export function placeText({ line }: ScreenedDraft, place: number): string {
  return line === undefined ? `row ${place} of this batch` : `line ${place} of this file`;
}

export function paymentOf(draft: ScreenedDraft): Payment {
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  const amount = draft.fields.amount.value.toString();
  return { draft, destination: comparableDestination(shown), shown, amount };
}
