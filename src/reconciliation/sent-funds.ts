/** Sums the sentFunds of a payout to net amount and fee. */
import { netSent, type ObservedFunds, type ObservedPayout, payoutStateMeaning } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** In the currency of the payout's requestedAmount. */
export interface SentFigures {
  /** What the payee received. */
  readonly net: Decimal;
  readonly fee: Decimal;
  /** Whether the figures match the requested amount; if not, net and fee are as the service shows them. */
  readonly fits: boolean;
  /** Number of amounts and fees in another currency and funds without an amount, which no figure includes. */
  readonly uncounted: number;
}

/** Undefined if nothing was sent. `funds`: those of the payout that count. */
export function sentFigures(
  payout: ObservedPayout,
  funds: readonly ObservedFunds[] = countedFunds(payout),
): SentFigures | undefined {
  if (funds.length === 0) return undefined;
  const { currency, value: requested } = payout.requestedAmount;
  const amounts = funds.map(({ amount }) => amount);
  const fees = funds.flatMap(({ fee }) => fee ?? []);
  const ours = amounts.filter((amount) => amount?.currency === currency);
  const amount = Decimal.sum(ours.flatMap((sentAmount) => sentAmount?.value ?? []));
  const fee = Decimal.sum(
    fees.filter((shownFee) => shownFee.currency === currency).map(({ value }) => value),
  );
  const foreignFees = fees.filter((shownFee) => shownFee.currency !== currency && !shownFee.value.isZero());
  const uncounted = amounts.length - ours.length + foreignFees.length;
  const net = netSent(requested, amount, fee, payout.subtractFee);
  return { net: net ?? amount, fee, fits: net !== undefined && amounts.length === ours.length, uncounted };
}

/** The funds that moved; for a failed payout, only those with a transaction. */
export function countedFunds(payout: ObservedPayout): readonly ObservedFunds[] {
  if (payoutStateMeaning(payout.state) !== "failed") return payout.sentFunds;
  return payout.sentFunds.filter(hasTransaction);
}

export function hasTransaction({ txHash, transactionId }: ObservedFunds): boolean {
  return txHash !== undefined || transactionId !== undefined;
}
