/**
 * The net amount that the payee received. The interface does not say whether the sent amount includes the fee, so
 * it is derived from the requested amount: the fee is added to it or, with subtractFee, taken out of it.
 */
import { type Amount, Decimal } from "../money/index.ts";
import type { InstructionFields } from "./instruction.ts";
import type { ObservedFunds, ObservedPayout } from "./observation.ts";

/**
 * In the payout's currency. Undefined if `sent` is neither the net nor the gross amount, or these are impossible.
 */
export function netSent(
  requested: Decimal,
  sent: Decimal,
  fee: Decimal,
  subtractFee = false,
): Decimal | undefined {
  const net = subtractFee ? requested.minus(fee) : requested;
  if (fee.isNegative() || net.isNegative() || net.isZero()) return undefined;
  return sent.equals(net) || sent.equals(net.plus(fee)) ? net : undefined;
}

/**
 * What each movement of a payout brought to its destination, in the order of `funds`. Undefined if together they do
 * not fit the requested amount, or one has no amount in its currency.
 */
export function arrivedBy(
  { requestedAmount: { currency, value: requested }, subtractFee }: ObservedPayout,
  funds: readonly ObservedFunds[],
): readonly Amount[] | undefined {
  const parts = funds.flatMap(({ amount, fee }) =>
    amount?.currency === currency
      ? [{ sent: amount.value, fee: fee?.currency === currency ? fee.value : Decimal.zero }]
      : [],
  );
  if (parts.length < funds.length) return undefined;
  const sent = Decimal.sum(parts.map((part) => part.sent));
  const net = netSent(requested, sent, Decimal.sum(parts.map(({ fee }) => fee)), subtractFee);
  if (net === undefined) return undefined;
  const holdsFee = !sent.equals(net);
  return parts.map((part) => ({ currency, value: holdsFee ? part.sent.minus(part.fee) : part.sent }));
}

/** If the service does not show who bears the payout's fee, its row's request counts. */
export function withFeeBearer(
  payout: ObservedPayout,
  { subtractFee }: Pick<InstructionFields, "subtractFee">,
): ObservedPayout {
  const isShown = payout.subtractFee !== undefined;
  return isShown || subtractFee === undefined ? payout : { ...payout, subtractFee };
}
