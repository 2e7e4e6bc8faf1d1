/** In what a payout pays something else than its instruction asked for. */
import { formatAmount, sameAmount } from "../money/index.ts";
import { destinationField, sameDestination } from "./destination.ts";
import type { Instruction } from "./instruction.ts";
import type { ObservedPayout } from "./observation.ts";

/** Each field that differs, with the payout's value, in words: "amount 0.5 BTC"; empty when it pays what was asked for. */
export function paymentDifferences({ fields }: Instruction, payout: ObservedPayout): string[] {
  const found: string[] = [];
  if (!sameAmount(payout.requestedAmount, fields.amount))
    found.push(`amount ${formatAmount(payout.requestedAmount)}`);
  if (payout.custodyAccountId !== fields.custodyAccountId)
    found.push(`custody account ${payout.custodyAccountId}`);
  const field = destinationField(fields);
  if (!sameDestination(payout[field] ?? "", fields[field] ?? "")) {
    const what = field === "destinationAddress" ? "destination address" : "destination account";
    found.push(`${what} ${payout[field] ?? "absent"}`);
  }
  return found;
}
