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
}

export function paymentOf(draft: ScreenedDraft): Payment {
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  return { draft, destination: comparableDestination(shown), shown };
}

/** Where people find another payment of the same file or batch. */
export function placeText({ draft: { line, row } }: Payment): string {
  return line === undefined ? `row ${row} of this batch` : `line ${line} of this file`;
}
