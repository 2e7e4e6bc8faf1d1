/** The sum of payments of one custody account, as far as it is known before they are sent. */
import { Decimal } from "../money/index.ts";

export interface PaymentSum {
  readonly amount: Decimal;
  /** How many of them pay the fee in addition to the amount (no `subtractFee`). */
  readonly feesOnTop: number;
}

export const NO_PAYMENTS: PaymentSum = { amount: Decimal.zero, feesOnTop: 0 };

export function withPayment(sum: PaymentSum, amount: Decimal, subtractFee: boolean): PaymentSum {
  return { amount: sum.amount.plus(amount), feesOnTop: sum.feesOnTop + (subtractFee ? 0 : 1) };
}
