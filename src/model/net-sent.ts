/**
 * The net amount that the payee received. The interface does not say whether the sent amount includes the fee, so
 * it is derived from the requested amount: the fee is added to it or, with subtractFee, taken out of it.
 */
import type { Decimal } from "../money/index.ts";
import type { InstructionFields } from "./instruction.ts";
import type { ObservedPayout } from "./observation.ts";
import { present } from "./present.ts";

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

/** If the service does not show who bears the payout's fee, its row's request counts. */
export function withFeeBearer(
  payout: ObservedPayout,
  { subtractFee }: Pick<InstructionFields, "subtractFee">,
): ObservedPayout {
  return { ...present({ subtractFee }), ...payout };
}
