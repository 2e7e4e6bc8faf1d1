/** An exact decimal with its currency; arithmetic across currencies is a programming error and throws. */
import { Decimal } from "./decimal.ts";

export interface Amount {
  readonly currency: string;
  readonly value: Decimal;
}

export function amountOf(text: string, currency: string): Amount {
  return { currency, value: Decimal.of(text) };
}

export function addAmounts(left: Amount, right: Amount): Amount {
  if (left.currency !== right.currency)
    throw new RangeError(`${left.currency} and ${right.currency} do not add up`);
  return { currency: left.currency, value: left.value.plus(right.value) };
}

export function sameAmount(left: Amount, right: Amount): boolean {
  return left.currency === right.currency && left.value.equals(right.value);
}

/** "0.05000000 BTC": for people and logs, never for the wire. */
export function formatAmount(amount: Amount): string {
  return `${amount.value.toString()} ${amount.currency}`;
}
