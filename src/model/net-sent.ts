/**
 * What the payee got of a payout. The interface does not say whether the sent amount holds the fee, so it is derived from the requested
 * one: the fee comes on top of that, or under subtractFee out of it.
 */
import type { Decimal } from "../money/index.ts";

/** All in the payout's currency. Undefined where the sent amount is neither the net amount nor the gross one, or these cannot be. */
export function netSent(
  requested: Decimal,
  sent: Decimal,
  fee: Decimal,
  subtractFee: boolean,
): Decimal | undefined {
  const net = subtractFee ? requested.minus(fee) : requested;
  if (fee.isNegative() || net.isNegative() || net.isZero()) return undefined;
  return sent.equals(net) || sent.equals(net.plus(fee)) ? net : undefined;
}
