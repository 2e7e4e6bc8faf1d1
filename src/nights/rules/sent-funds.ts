/** Sums the sentFunds of a payout to net amount and fee. */
import {
  compareText,
  isConfirmed,
  netSent,
  type ObservedFunds,
  type ObservedPayout,
  payoutStateMeaning,
} from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

/** In the currency of the payout's requestedAmount. */
export interface SentFigures {
  /** The amount that the payee received. */
  readonly net: Decimal;
  readonly fee: Decimal;
  /** Whether the figures match the requested amount; if not, net and fee are as the service shows them. */
  readonly fits: boolean;
  /** Number of amounts and fees in another currency and funds without an amount, which no figure includes. */
  readonly uncounted: number;
}

/** Undefined if nothing was sent. `funds`: the payout's funds that count. */
export function sentFigures(
  payout: ObservedPayout,
  funds: readonly ObservedFunds[] = countedFunds(payout),
): SentFigures | undefined {
  if (funds.length === 0) return undefined;
  const { currency, value: requested } = payout.requestedAmount;
  let [amount, fee] = [Decimal.zero, Decimal.zero];
  let [foreignAmounts, foreignFees] = [0, 0];
  for (const { amount: sent, fee: shown } of funds) {
    if (sent?.currency === currency) amount = amount.plus(sent.value);
    else foreignAmounts += 1;
    if (shown?.currency === currency) fee = fee.plus(shown.value);
    else if (shown?.value.isZero() === false) foreignFees += 1;
  }
  const net = netSent(requested, amount, fee, payout.subtractFee);
  return {
    net: net ?? amount,
    fee,
    fits: net !== undefined && foreignAmounts === 0,
    uncounted: foreignAmounts + foreignFees,
  };
}

/** The funds that moved, without those of replaced transactions. */
export function countedFunds(payout: ObservedPayout): readonly ObservedFunds[] {
  const moved = movedFunds(payout);
  const replaced = replacedFunds(payout);
  if (replaced.length === 0) return moved;
  const without = new Set(replaced);
  return moved.filter((funds) => !without.has(funds));
}

/**
 * The funds of replaced transactions: unconfirmed, beside others that make up the amount without them. If none is
 * confirmed yet, the last one replaces the earlier ones.
 */
export function replacedFunds(payout: ObservedPayout): readonly ObservedFunds[] {
  const moved = movedFunds(payout);
  // One transaction cannot be replaced by another.
  if (moved.length < 2) return [];
  const fits = (some: readonly ObservedFunds[]) => sentFigures(payout, some)?.fits === true;
  if (fits(moved)) return [];
  const confirmed = moved.filter(isConfirmed);
  const counted = confirmed.length > 0 ? confirmed : moved.toSorted(byCreation).slice(-1);
  return fits(counted) ? moved.filter((funds) => !counted.includes(funds)) : [];
}

/** For a failed payout, only those with a transaction. */
function movedFunds({ state, sentFunds }: ObservedPayout): readonly ObservedFunds[] {
  return payoutStateMeaning(state) === "failed" ? sentFunds.filter(hasTransaction) : sentFunds;
}

function byCreation(left: ObservedFunds, right: ObservedFunds): number {
  return compareText(left.createdAt ?? "", right.createdAt ?? "");
}

export function hasTransaction({ txHash, transactionId }: ObservedFunds): boolean {
  return txHash !== undefined || transactionId !== undefined;
}
