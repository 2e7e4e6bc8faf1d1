/**
 * The result of deriving: facts to post, problems of held movements, and rows for movements that are deliberately
 * not booked.
 */
import { type Problem, problem, type Where } from "../../faults/index.ts";
import type { Fact, ObservedDeposit, ObservedPayout } from "../../model/index.ts";
import { present } from "../../model/present.ts";

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
  /** The ids of facts whose entry must be reversed: another entry now books the same movement. */
  readonly bookedTwice: readonly string[];
  readonly replaced: readonly Replaced[];
  /** The ids of facts whose entry must be reversed: a person took back the decision that it rests on. */
  readonly takenBack: readonly string[];
}

/** A receipt's entry to reverse once the fact `by` is booked, because another deposit lists the receipt now. */
export interface Replaced {
  /** The id of its fact. */
  readonly factId: string;
  readonly by: string;
}

export function notBookedRow(resource: ObservedPayout | ObservedDeposit, reason: string): NotBooked {
  const { state: sourceState, reference } = resource;
  const sourceId = "payoutId" in resource ? resource.payoutId : resource.depositId;
  return { sourceId, sourceState, reference, reason };
}

/** A payout or deposit, or a fact about one. */
type Subject = ({ readonly payoutId: string } | { readonly depositId: string }) & {
  readonly reference?: string | undefined;
};

export function unclear(subject: Subject, reason: string): Problem {
  return problem("LEDGER_FACT_UNCLEAR", { reason }, whereOf(subject));
}

export function whereOf(subject: Subject): Where {
  const id = "payoutId" in subject ? { payoutId: subject.payoutId } : { depositId: subject.depositId };
  return { ...id, ...present({ reference: subject.reference }) };
}

export const nothingDerived: Derived = {
  facts: [],
  held: [],
  notBooked: [],
  bookedTwice: [],
  replaced: [],
  takenBack: [],
};

export function joinDerived(parts: readonly Derived[]): Derived {
  return {
    facts: parts.flatMap((part) => part.facts),
    held: parts.flatMap((part) => part.held),
    notBooked: parts.flatMap((part) => part.notBooked),
    bookedTwice: parts.flatMap((part) => part.bookedTwice),
    replaced: parts.flatMap((part) => part.replaced),
    takenBack: parts.flatMap((part) => part.takenBack),
  };
}
