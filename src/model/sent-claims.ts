/**
 * Finds payouts that list the same movement. Payouts of one transaction are ordinary, but two of the same amount to
 * the same destination cannot be told apart: the money may have left once or twice.
 */

import type { Amount } from "../money/index.ts";
import { compareText } from "./compare-text.ts";
import { comparableDestination } from "./destination.ts";
import type { PayoutId } from "./ids.ts";
import { type ObservedFunds, type ObservedPayout, transactionsOf } from "./observation.ts";
import { hashesAgree, isSameReceipt } from "./receipt-claims.ts";
import { isConfirmed } from "./replaced-receipts.ts";

interface ListedPayout {
  readonly payout: ObservedPayout;
  readonly beforeBaseline: boolean;
}

export class SentClaims {
  private readonly listed: ReadonlyMap<PayoutId, ListedPayout>;
  private readonly byMovement: ReadonlyMap<string, readonly ListedPayout[]>;

  /** `listed` must contain all payouts that list a movement of another one. */
  constructor(listed: Iterable<ListedPayout>) {
    this.listed = new Map([...listed].map((each) => [each.payout.payoutId, each]));
    const named = [...this.listed.values()].flatMap((each) =>
      movementNames(each.payout).map((name) => ({ name, each })),
    );
    this.byMovement = new Map(
      [...Map.groupBy(named, ({ name }) => name)].map(([name, all]) => [name, all.map(({ each }) => each)]),
    );
  }

  /** The other payouts that list a confirmed movement of this one, by id. */
  othersOf(payoutId: PayoutId): readonly PayoutId[] {
    const own = this.listed.get(payoutId);
    if (own === undefined) return [];
    const others = this.neighboursOf(own).filter((other) =>
      own.payout.sentFunds.some((funds) => lists(other.payout, own.payout, funds)),
    );
    return others.map(({ payout }) => payout.payoutId);
  }

  /** The movements of this payout that count at another: at one before the baseline, or at the lower id. */
  countedElsewhere(payoutId: PayoutId): readonly ObservedFunds[] {
    const own = this.listed.get(payoutId);
    if (own === undefined) return [];
    const before = this.neighboursOf(own).filter((other) =>
      other.beforeBaseline === own.beforeBaseline ? other.payout.payoutId < payoutId : other.beforeBaseline,
    );
    return own.payout.sentFunds.filter((funds) =>
      before.some((other) => lists(other.payout, own.payout, funds)),
    );
  }

  private neighboursOf(own: ListedPayout): readonly ListedPayout[] {
    const others = movementNames(own.payout).flatMap((name) => this.byMovement.get(name) ?? []);
    return [...new Set(others)]
      .filter((other) => other !== own)
      .sort((left, right) => compareText(left.payout.payoutId, right.payout.payoutId));
  }
}

/** Its confirmed movements by each id of their transactions: payouts without a common name have none in common. */
export function movementNames(payout: ObservedPayout): readonly string[] {
  const { custodyAccountId, destinationAddress = "", destinationAccountId = "" } = payout;
  const to = comparableDestination(destinationAddress || destinationAccountId);
  return payout.sentFunds.filter(isConfirmed).flatMap((funds) => {
    const { value, currency } = amountIn(payout, funds);
    return transactionsOf(funds).map(
      (id) => `${custodyAccountId} ${value.normalized()} ${currency} ${to} ${id}`,
    );
  });
}

function lists(other: ObservedPayout, own: ObservedPayout, funds: ObservedFunds): boolean {
  const row = { ...funds, amount: amountIn(own, funds) };
  return (
    isConfirmed(funds) &&
    other.sentFunds.some(
      (listed) =>
        isConfirmed(listed) &&
        isSameReceipt({ ...listed, amount: amountIn(other, listed) }, row) &&
        hashesAgree(listed, funds),
    )
  );
}

function amountIn({ requestedAmount }: ObservedPayout, { amount }: ObservedFunds): Amount {
  return amount ?? requestedAmount;
}
