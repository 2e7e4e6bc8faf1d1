/** How a payment would be booked, before it is paid. */

import type { Problem } from "../faults/index.ts";
import { isProblem } from "../faults/index.ts";
import { generalLedgerOf, type InstructionFields, type JournalEntry, payoutId } from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import type { Chart } from "./chart.ts";
import type { LedgerPolicy } from "./policy.ts";
import { entryOf, postFact } from "./post-facts.ts";

/** Its accounts, projects and distributions are those of the payment; ids, rate and amounts are made up. */
export function expectedEntry(
  fields: InstructionFields,
  chart: Chart,
  policy: LedgerPolicy,
): JournalEntry | Problem {
  const { custodyAccountId, reference, destinationAddress, destinationAccountId } = fields;
  const { currency } = fields.amount;
  const amount = { currency, value: Decimal.of("1000") };
  const id = payoutId("00000000-0000-4000-8000-000000000000");
  const fact = {
    kind: "payout",
    factId: `payout:${id}:settle`,
    contentHash: "",
    payoutId: id,
    sourceState: "COMPLETED",
    settledAt: policy.now,
    txHash: "0".repeat(64),
    subtractFee: false,
    net: amount,
    fee: amount,
    rate: { rate: Decimal.of("1"), from: currency, to: policy.functionalCurrency },
    ...{ custodyAccountId, reference, destinationAddress, destinationAccountId },
    ...generalLedgerOf(fields),
  } as const;
  const posting = postFact(fact, chart, policy);
  return isProblem(posting) ? posting : entryOf(fact, posting, 1, policy);
}
