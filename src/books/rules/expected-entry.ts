/** Shows how a payment would be booked before it is paid. */
import { isProblem, type Problem } from "../../faults/index.ts";
import { generalLedgerOf, type InstructionFields, type JournalEntry, payoutId } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { bookFact } from "./book-fact.ts";
import type { LedgerPolicy } from "./policy.ts";

const MADE_UP = {
  kind: "payout",
  factId: "payout:00000000-0000-4000-8000-000000000000:settle",
  payoutId: payoutId("00000000-0000-4000-8000-000000000000"),
  txHash: "0".repeat(64),
  contentHash: "",
  sourceState: "COMPLETED",
  subtractFee: false,
} as const;

/** Accounts, projects and distributions are those of the payment; ids, rate and amounts are made up. */
export function expectedEntry(
  fields: InstructionFields,
  chart: Chart,
  policy: LedgerPolicy,
): JournalEntry | Problem {
  const { custodyAccountId, reference, destinationAddress, destinationAccountId } = fields;
  const amount = { ...fields.amount, value: Decimal.of("1000") };
  const rate = { rate: Decimal.of("1"), from: amount.currency, to: policy.functionalCurrency };
  const given = { ...generalLedgerOf(fields), custodyAccountId, destinationAddress, destinationAccountId };
  const fact = { ...MADE_UP, ...given, reference, settledAt: policy.now, net: amount, fee: amount, rate };
  const booked = bookFact(fact, 1, chart, { ...policy, payeeOf: () => fields.customerId });
  return isProblem(booked) ? booked : booked.entry;
}
