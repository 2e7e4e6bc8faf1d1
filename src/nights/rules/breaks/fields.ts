/** The fields in which a payout differs from the row that asked for it. */
import {
  destinationField,
  GENERAL_LEDGER_FIELDS,
  type InstructionFields,
  type ObservedPayout,
  sameDestination,
} from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import type { ReconciliationPolicy } from "../reconciliation.ts";
import {
  amountText,
  custodyName,
  describeInstruction,
  describePayout,
  printable,
  quoted,
} from "../wording.ts";
import { type BreakRule, type Difference, inMatches, sumOf } from "./break-rule.ts";

/** Both values as text, and the end of "Payout ... DOES, but ROW asked for INSTEAD." */
interface Compared extends Required<Pick<Difference, "field" | "expected" | "found">> {
  readonly does: string;
  readonly instead: string;
  readonly part?: string;
  readonly amount?: Difference["amount"];
}

/** Empty if they agree: a sentence is put together only for a difference, because nearly all payouts have none. */
type Compare = (
  fields: InstructionFields,
  payout: ObservedPayout,
  policy: ReconciliationPolicy,
) => readonly Compared[];

/** Skips payouts that belong to another payment: they differ in everything, and have their own rule. */
function fieldRule(kind: BreakRule["kind"], severity: BreakRule["severity"], compare: Compare): BreakRule {
  return {
    kind,
    severity,
    find: inMatches(({ instruction, payout, mixedUpWith }, { policy }) => {
      if (mixedUpWith !== undefined) return [];
      return compare(instruction.fields, payout, policy).map(({ does, instead, ...values }) => ({
        ...values,
        sentence: `${describePayout(payout)} ${does}, but ${describeInstruction(instruction)} asked for ${instead}.`,
      }));
    }),
  };
}

/** Undefined until a fee is shown. */
function feesShown({ sentFunds }: ObservedPayout): Difference["amount"] {
  return sumOf(sentFunds.flatMap(({ fee }) => (fee === undefined ? [] : [{ amount: fee }])));
}

export const FIELD_RULES: readonly BreakRule[] = [
  /** Addresses are shown in full, because look-alikes share their beginning and end. */
  fieldRule("destination", "alarm", (fields, payout) => {
    const field = destinationField(fields);
    const expected = fields[field] ?? "";
    const found = payout[field] ?? "";
    if (sameDestination(expected, found)) return [];
    return [
      { field, expected, found, does: `goes to ${quoted(found || undefined)}`, instead: quoted(expected) },
    ];
  }),
  /** Compared by value: 0.50 equals 0.5. */
  fieldRule("amount", "alarm", ({ amount }, { requestedAmount }) => {
    if (requestedAmount.value.equals(amount.value)) return [];
    return [
      {
        field: "requestedAmount",
        // Two currencies have no difference.
        ...(amount.currency === requestedAmount.currency && {
          amount: {
            currency: amount.currency,
            value: requestedAmount.value.minus(amount.value).absolute(),
          },
        }),
        expected: amount.value.normalized().toString(),
        found: requestedAmount.value.normalized().toString(),
        does: `pays ${amountText(requestedAmount)}`,
        instead: amountText(amount),
      },
    ];
  }),
  /**
   * Compares who bears the fee: with the same requested amount, the payee would get less, or we would pay more,
   * than was approved. A service may not show it; then only the figures show it.
   */
  fieldRule("amount", "alarm", ({ subtractFee = false }, payout) => {
    const found = payout.subtractFee ?? subtractFee;
    if (found === subtractFee) return [];
    return [
      {
        field: "subtractFee",
        part: "subtractFee",
        amount: feesShown(payout),
        expected: String(subtractFee),
        found: String(found),
        does: found ? "has subtractFee, so that the payee bears its fee" : "does not have subtractFee",
        instead: subtractFee ? "the fee to be taken off the amount" : "the fee on top of the amount",
      },
    ];
  }),
  fieldRule("currency", "alarm", ({ amount: { currency: expected } }, { requestedAmount }) => {
    const { currency: found } = requestedAmount;
    if (found === expected) return [];
    const does = `is in ${printable(found)}`;
    return [{ field: "requestedAmount.currency", expected, found, does, instead: printable(expected) }];
  }),
  fieldRule("custody-account", "alarm", (fields, payout, policy) => {
    const [expected, found] = [fields.custodyAccountId, payout.custodyAccountId];
    if (found === expected) return [];
    const does = `is paid from custody account ${custodyName(found, policy)}`;
    return [{ field: "accountId", expected, found, does, instead: custodyName(expected, policy) }];
  }),
  /** An empty text equals an absent one. */
  fieldRule("ledger-field", "warning", (fields, payout) =>
    GENERAL_LEDGER_FIELDS.flatMap((field) => {
      const expected = fields[field] ?? "";
      const found = payout[field] ?? "";
      if (found === expected) return [];
      const does = `has ${field} ${quoted(found || undefined)}`;
      const instead = quoted(expected || undefined);
      return [{ field, part: field, expected, found, amount: undefined, does, instead }];
    }),
  ),
  /** If no fee policy was requested, the service chooses one, and may not show it. */
  fieldRule("fee-policy", "warning", ({ feePolicy: expected = "" }, payout) => {
    const found = payout.feePolicy ?? expected;
    if (expected === "" || found.toUpperCase() === expected) return [];
    const does = `is sent with the fee policy ${printable(found)}`;
    return [
      {
        field: "feePolicy",
        expected,
        found,
        does,
        instead: expected,
        ...present({ amount: feesShown(payout) }),
      },
    ];
  }),
  /** Later look-ups by our reference would miss it. */
  {
    kind: "reference",
    severity: "warning",
    find: inMatches(({ instruction, payout, mixedUpWith }) => {
      const expected = instruction.fields.reference;
      if (mixedUpWith !== undefined || payout.reference === expected) return [];
      const sentence =
        `${describePayout(payout)} was made for ${quoted(expected)}, but the service shows the ` +
        `reference ${quoted(payout.reference)}.`;
      const found = payout.reference ?? "";
      return [{ field: "reference", expected, found, amount: undefined, sentence }];
    }),
  },
];
