/** The comparison of everything at once. The same input gives the same answer in the same order. */
import { Comparison } from "./comparison.ts";
import type { Reconciliation, ReconciliationInput, ReconciliationPolicy } from "./reconciliation.ts";

/**
 * Every difference between instructions and observations as a break, with the balance proof and totals. Throws TOTALS_DO_NOT_TIE when an
 * instruction or a payout would be lost on the way.
 */
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
