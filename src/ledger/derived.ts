/**
 * The result of deriving: facts to post, problems of what is held back, and rows for what is deliberately not booked.
 */
import type { Problem } from "../faults/index.ts";
import type { Fact } from "../model/index.ts";

/** A row of the report beside the ledger files: a movement that is understood but not booked, and the reason. */
export interface NotBooked {
  /** payoutId or depositId. */
  readonly sourceId: string;
  readonly sourceState: string;
  readonly reference?: string | undefined;
  readonly reason: string;
}

export interface Derived {
  readonly facts: readonly Fact[];
  readonly held: readonly Problem[];
  readonly notBooked: readonly NotBooked[];
}

export const nothingDerived: Derived = { facts: [], held: [], notBooked: [] };

export function joinDerived(parts: readonly Derived[]): Derived {
  return {
    facts: parts.flatMap((part) => part.facts),
    held: parts.flatMap((part) => part.held),
    notBooked: parts.flatMap((part) => part.notBooked),
  };
}
