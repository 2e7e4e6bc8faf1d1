/**
 * Features that a payout shares with an instruction: callbackUrl, reference, amount and destination. Every
 * judgement whether a payout is the instruction's own starts from these.
 */
import { formatAmount, sameAmount } from "../money/index.ts";
import { destinationField, sameDestination } from "./destination.ts";
import { correlatedCallbackUrl, type Instruction } from "./instruction.ts";
import type { ObservedPayout } from "./observation.ts";

/** Whether the payout shows the instruction's own callbackUrl, another one, or none. */
export function shownCallbackUrl(
  instruction: Instruction,
  { callbackUrl }: ObservedPayout,
): "own" | "another" | "none" {
  if (callbackUrl === undefined) return "none";
  return callbackUrl === correlatedCallbackUrl(instruction) ? "own" : "another";
}

/** Whether the payout has the instruction's own callbackUrl, which no other request carried. */
export function isNamed(instruction: Instruction, payout: ObservedPayout): boolean {
  return shownCallbackUrl(instruction, payout) === "own";
}

/** Whether the service shows the payout as another payment's: its callbackUrl and its reference both differ. */
export function isAnothers(instruction: Instruction, payout: ObservedPayout): boolean {
  // A service that rewrites references still shows our callbackUrl.
  return shownCallbackUrl(instruction, payout) === "another" && !hasReference(instruction, payout);
}

export function hasReference({ fields }: Instruction, { reference }: ObservedPayout): boolean {
  return reference === fields.reference;
}

/** Whether it has the instruction's reference, or pays what was asked for and is not shown as another's. */
export function isItsPayout(instruction: Instruction, payout: ObservedPayout): boolean {
  if (hasReference(instruction, payout)) return true;
  return !isAnothers(instruction, payout) && paymentDifferences(instruction, payout).length === 0;
}

/**
 * Each field in which it differs from the requested payment, with the payout's value, in words: "amount 0.5 BTC";
 * empty if there is none.
 */
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
