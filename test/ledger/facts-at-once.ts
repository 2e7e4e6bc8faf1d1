/** Derives the facts of everything at once; the program itself works in windows. */
import {
  type Derived,
  deriveDeposits,
  type LedgerPolicy,
  PayoutDerivation,
  RelatedDeposits,
} from "../../src/ledger/index.ts";
import type { JournalEntry, ObservedDeposit, ObservedPayout } from "../../src/model/index.ts";

interface Observations {
  /** The latest observation of each. */
  readonly payouts: readonly ObservedPayout[];
  readonly deposits: readonly ObservedDeposit[];
  readonly posted?: readonly JournalEntry[];
}

/** In the order of the observations. */
export function deriveFacts({ payouts, deposits, posted = [] }: Observations, policy: LedgerPolicy): Derived {
  const derivation = derivationOf(deposits, policy);
  derivation.noteTransfers(payouts, posted);
  const ofPayouts = derivation.derive(payouts);
  const ofDeposits = deriveDeposits(deposits, derivation.depositContext(deposits), posted, policy);
  return {
    facts: [...ofPayouts.facts, ...ofDeposits.facts],
    held: [...ofPayouts.held, ...ofDeposits.held],
    notBooked: [...ofPayouts.notBooked, ...ofDeposits.notBooked],
    bookedTwice: [...ofPayouts.bookedTwice, ...ofDeposits.bookedTwice],
  };
}

export function derivationOf(deposits: readonly ObservedDeposit[], policy: LedgerPolicy): PayoutDerivation {
  const related = new RelatedDeposits();
  related.add(deposits);
  return new PayoutDerivation(policy, related.accounts);
}
