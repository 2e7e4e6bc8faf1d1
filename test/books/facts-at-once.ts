/** Derives the facts of everything at once; the program itself works in windows. */
import {
  type Derived,
  deriveDeposits,
  type LedgerPolicy,
  PayoutDerivation,
  receivingAddress,
} from "../../src/books/index.ts";
import {
  type CustodyAccountId,
  type JournalEntry,
  type ObservedDeposit,
  type ObservedPayout,
  ReceiptClaims,
} from "../../src/model/index.ts";

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
  const ofDeposits = deriveDeposits(
    deposits,
    derivation.depositContext(claimsAmong(deposits)),
    posted,
    policy,
  );
  return {
    facts: [...ofPayouts.facts, ...ofDeposits.facts],
    held: [...ofPayouts.held, ...ofDeposits.held],
    notBooked: [...ofPayouts.notBooked, ...ofDeposits.notBooked],
    bookedTwice: [...ofPayouts.bookedTwice, ...ofDeposits.bookedTwice],
    replaced: ofDeposits.replaced,
    takenBack: ofDeposits.takenBack,
  };
}

export function derivationOf(deposits: readonly ObservedDeposit[], policy: LedgerPolicy): PayoutDerivation {
  const accounts = new Map<string, CustodyAccountId>();
  for (const deposit of deposits) {
    const address = receivingAddress(deposit);
    if (address !== undefined && !accounts.has(address)) accounts.set(address, deposit.custodyAccountId);
  }
  return new PayoutDerivation(policy, accounts);
}

/** `before`: the same deposits as they were last shown with other receipts. */
export function claimsAmong(
  deposits: readonly ObservedDeposit[],
  before: readonly ObservedDeposit[] = [],
): ReceiptClaims {
  return new ReceiptClaims(
    deposits.map((deposit) => {
      const earlier = before.find(({ depositId }) => depositId === deposit.depositId)?.receivedFunds ?? [];
      const isListed = (id: string | undefined) =>
        deposit.receivedFunds.some(({ txHash, transactionId }) => id === (transactionId ?? txHash));
      return {
        deposit,
        beforeBaseline: false,
        isSetAside: false,
        formerly: earlier
          .filter(({ txHash, transactionId }) => !isListed(transactionId ?? txHash))
          .map((funds) => ({ funds, lastListed: "" })),
        since: [],
      };
    }),
  );
}
