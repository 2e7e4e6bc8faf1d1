/** The fields in which one of our deposits differs from its request, and receiving addresses that change. */
import { type DepositDifference, depositDifferences, sameDestination } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import type { ReconciliationPolicy } from "../reconciliation.ts";
import { custodyName, describeDeposit, printable, quoted } from "../wording.ts";
import { type BreakRule, inDeposits } from "./break-rule.ts";

const REQUESTED = "requested";

function requestedRule(
  kind: DepositDifference["kind"],
  severity: BreakRule["severity"],
  words: (value: string, policy: ReconciliationPolicy) => string,
): BreakRule {
  return {
    kind,
    severity,
    find: inDeposits((deposit, { policy }) => {
      const { requested } = deposit;
      if (requested === undefined) return [];
      return depositDifferences(requested, deposit)
        .filter((difference) => difference.kind === kind)
        .map(({ field, expected, found }) => {
          const sentence =
            `${describeDeposit(deposit)} was requested with ${words(expected, policy)}, but the service ` +
            `shows ${words(found, policy)}.`;
          const difference = { part: REQUESTED, field, expected, found, sentence };
          if (kind === "reference") return { ...difference, amount: undefined };
          const { amount } = requested;
          if (kind !== "amount" || amount === undefined) return difference;
          const value = Decimal.of(found).minus(amount.value).absolute();
          return { ...difference, amount: { currency: amount.currency, value } };
        });
    }),
  };
}

export const DEPOSIT_FIELD_RULES: readonly BreakRule[] = [
  /**
   * A customer who got the first address still pays to it. Shown in full, because look-alikes share beginning and
   * end.
   */
  {
    kind: "receiver-address",
    severity: "alarm",
    find: inDeposits((deposit) => {
      const { receiverAddress: found, firstAddress: expected } = deposit;
      if (expected === undefined || found === undefined || sameDestination(expected, found)) return [];
      const sentence =
        `${describeDeposit(deposit)} now receives at ${quoted(found)}, but the service showed ` +
        `${quoted(expected)} before. Stop payments to it until the service's operator has explained ` +
        `this.`;
      return [{ field: "receiverAddress", expected, found, sentence }];
    }),
  },
  requestedRule("custody-account", "alarm", (id, policy) => `custody account ${custodyName(id, policy)}`),
  requestedRule("currency", "alarm", (currency) => `an amount in ${printable(currency)}`),
  requestedRule("amount", "alarm", (amount) => `the amount ${amount}`),
  /** Our look-ups by its reference would miss it. */
  requestedRule(
    "reference",
    "warning",
    (reference) => `the reference ${quoted(reference === "" ? undefined : reference)}`,
  ),
];
