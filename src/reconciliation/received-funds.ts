/** What arrived on a deposit against what it asked for, in the currency it asked for. */
import type { ObservedDeposit } from "../model/index.ts";
import { type Amount, Decimal } from "../money/index.ts";

export interface ReceivedFigures {
  readonly requested: Amount;
  readonly received: Amount;
  /** received - requested: below zero when too little arrived. */
  readonly difference: Decimal;
}

/** Undefined for a deposit without a requested crypto amount: whatever arrives is right. */
export function receivedFigures(deposit: ObservedDeposit): ReceivedFigures | undefined {
  const requested = deposit.requestedInCrypto;
  if (requested === undefined) return undefined;
  const { currency } = requested;
  const value = Decimal.sum(
    deposit.receivedFunds.flatMap(({ amount }) => (amount?.currency === currency ? [amount.value] : [])),
  );
  return { requested, received: { currency, value }, difference: value.minus(requested.value) };
}

/** Whether money on this deposit is a break of its own: nobody expects any. */
export function expectsNoMoney({ state }: ObservedDeposit): boolean {
  return state === "VOID" || state === "CREATE_FAILED";
}
