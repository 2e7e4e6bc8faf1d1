/** Compares everything at once; the program itself compares in windows. */
import type {
  DepositId,
  Instruction,
  ObservedDeposit,
  ObservedPayout,
  PayoutId,
} from "../../src/model/index.ts";
import {
  Comparison,
  type ComparisonInput,
  type Reconciliation,
  type ReconciliationPolicy,
  type Sighted,
} from "../../src/reconciliation/index.ts";

export interface ReconciliationInput extends ComparisonInput {
  readonly instructions: Iterable<Instruction>;
  /** The latest observation of each. */
  readonly payouts: Iterable<ObservedPayout>;
  readonly deposits: Iterable<ObservedDeposit>;
  readonly departures?: Parameters<Comparison["finish"]>[0];
  /** By payoutId or depositId: when it was last seen. */
  readonly notShown?: ReadonlyMap<string, NonNullable<Sighted["notShownSince"]>>;
  /** They existed before the baseline. */
  readonly ignoredPayoutIds: ReadonlySet<PayoutId>;
  readonly ignoredDepositIds: ReadonlySet<DepositId>;
}

export function reconcile(input: ReconciliationInput, policy: ReconciliationPolicy): Reconciliation {
  const comparison = new Comparison(input, policy);
  for (const instruction of input.instructions) comparison.addInstruction(instruction);
  const sighted = (id: string, isIgnored: boolean) => ({
    beforeBaseline: isIgnored,
    notShownSince: input.notShown?.get(id),
  });
  for (const payout of input.payouts)
    comparison.addPayout(payout, sighted(payout.payoutId, input.ignoredPayoutIds.has(payout.payoutId)));
  const deposits = new Map([...input.deposits].map((deposit) => [deposit.depositId, deposit]));
  for (const deposit of deposits.values()) {
    const { depositId, duplicatedFromDepositId: originalId } = deposit;
    const original = originalId && deposits.get(originalId);
    comparison.addDeposit(deposit, original, sighted(depositId, input.ignoredDepositIds.has(depositId)));
  }
  return comparison.finish(input.departures);
}
