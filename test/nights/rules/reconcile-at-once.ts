/** Compares everything at once, and as the program does: without keeping what is cleared. */
import {
  correlatedCallbackUrl,
  type DepositId,
  type Instruction,
  type ObservedPayout,
  type PayoutId,
  ReceiptClaims,
} from "../../../src/model/index.ts";
import {
  type ComparedDeposit,
  Comparison,
  type ComparisonInput,
  type Reconciliation,
  type ReconciliationPolicy,
  type Sighted,
} from "../../../src/nights/rules/index.ts";

export interface ReconciliationInput extends ComparisonInput {
  readonly instructions: Iterable<Instruction>;
  /** The latest observation of each. */
  readonly payouts: Iterable<ObservedPayout>;
  readonly deposits: Iterable<ComparedDeposit>;
  readonly departures?: Parameters<Comparison["finish"]>[0];
  readonly statesBefore?: Parameters<Comparison["finish"]>[1];
  /** By payoutId or depositId: when it was last seen. */
  readonly notShown?: ReadonlyMap<string, NonNullable<Sighted["notShownSince"]>>;
  /** By payoutId or depositId, what differs from being shown, or from what `notShown` says. */
  readonly classes?: ReadonlyMap<string, Sighted["payoutClass"]>;
  /** They existed before the baseline. */
  readonly ignoredPayoutIds: ReadonlySet<PayoutId>;
  readonly ignoredDepositIds: ReadonlySet<DepositId>;
}

export function reconcile(input: ReconciliationInput, policy: ReconciliationPolicy): Reconciliation {
  return compare(input, policy, () => false);
}

/** Clears each payment that it can, unless another payout of the input bears its reference or its callbackUrl. */
export function reconcileInParts(input: ReconciliationInput, policy: ReconciliationPolicy): Reconciliation {
  const payouts = [...input.payouts];
  const isNamed = (instruction: Instruction) =>
    payouts.some(
      ({ payoutId, reference, callbackUrl }) =>
        payoutId !== instruction.payoutId &&
        (reference === instruction.fields.reference || callbackUrl === correlatedCallbackUrl(instruction)),
    );
  return compare(input, policy, (instruction) => !isNamed(instruction));
}

function compare(
  input: ReconciliationInput,
  policy: ReconciliationPolicy,
  mayClear: (instruction: Instruction) => boolean,
): Reconciliation {
  const comparison = new Comparison(input, policy);
  const sighted = (id: string, isIgnored: boolean): Sighted => ({
    beforeBaseline: isIgnored,
    notShownSince: input.notShown?.get(id),
    payoutClass: input.classes?.get(id) ?? (input.notShown?.has(id) ? "notShown" : "agree"),
  });
  const payouts = new Map([...input.payouts].map((payout) => [payout.payoutId, payout]));
  for (const instruction of input.instructions) {
    const payout = instruction.payoutId && payouts.get(instruction.payoutId);
    const how = payout && sighted(payout.payoutId, input.ignoredPayoutIds.has(payout.payoutId));
    if (payout && how && mayClear(instruction) && comparison.clear(instruction, payout, how))
      payouts.delete(payout.payoutId);
    else comparison.addInstruction(instruction);
  }
  for (const payout of payouts.values())
    comparison.addPayout(payout, sighted(payout.payoutId, input.ignoredPayoutIds.has(payout.payoutId)));
  const deposits = new Map([...input.deposits].map((deposit) => [deposit.depositId, deposit]));
  const claims = new ReceiptClaims(
    [...deposits.values()].map((deposit) => {
      const isIgnored = input.ignoredDepositIds.has(deposit.depositId);
      return { deposit, beforeBaseline: isIgnored, isSetAside: isIgnored, formerly: [], since: [] };
    }),
  );
  for (const deposit of deposits.values()) {
    const { depositId } = deposit;
    const listed = { claims: claims.claimsOf(depositId), movedAway: claims.movedAwayFrom(depositId) };
    const how = sighted(depositId, input.ignoredDepositIds.has(depositId));
    comparison.addDeposit({ ...listed, ...deposit }, how);
  }
  return comparison.finish(input.departures, input.statesBefore);
}
