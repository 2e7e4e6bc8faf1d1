/** Decides whether a payout found at the service is the one that an instruction asked for. */
import {
  hasReference,
  type Instant,
  type Instruction,
  isNamed,
  type ObservedPayout,
  paymentDifferences,
  shownCallbackUrl,
} from "../../../model/index.ts";

export interface RecognitionPolicy {
  readonly correlation: "callbackUrl" | "reference";
  /** By how much the service's clock may differ from ours. */
  readonly clockSkewMs: number;
}

/** Every field in which the payout differs from the request, in words; empty if it equals the request. */
export function differences(
  instruction: Instruction,
  intendedAt: Instant,
  payout: ObservedPayout,
  policy: RecognitionPolicy,
): string[] {
  const found = [...unlikeReference(instruction, payout)];
  const callbackUrl = shownCallbackUrl(instruction, payout);
  if (policy.correlation === "callbackUrl" && callbackUrl !== "own")
    found.push(callbackUrl === "none" ? "no callbackUrl" : "another callbackUrl");
  found.push(...paymentDifferences(instruction, payout));
  if (
    payout.createdAt !== undefined &&
    Date.parse(payout.createdAt) < Date.parse(intendedAt) - policy.clockSkewMs
  ) {
    found.push(`created ${payout.createdAt}, before the request`);
  }
  return found;
}

/**
 * Whether a payout certainly belongs to the instruction: it has the instruction's unguessable callbackUrl, or
 * differs in nothing. If a request has left, a payout without any callbackUrl does not count as different for that.
 */
export function isOwn(
  instruction: Instruction,
  { hasLeft, intendedAt }: { readonly hasLeft: boolean; readonly intendedAt: Instant },
  payout: ObservedPayout,
  policy: RecognitionPolicy,
): boolean {
  if (isNamed(instruction, payout)) return true;
  const correlation = payout.callbackUrl === undefined && hasLeft ? "reference" : policy.correlation;
  return differences(instruction, intendedAt, payout, { ...policy, correlation }).length === 0;
}

/**
 * Why a person may not accept a payout for the instruction, in words: it has neither its reference nor its
 * callbackUrl, or it pays something else. Empty when it may be accepted.
 */
export function whyNotTheOne(instruction: Instruction, payout: ObservedPayout): string[] {
  const unnamed = isNamed(instruction, payout) ? [] : unlikeReference(instruction, payout);
  return [...unnamed, ...paymentDifferences(instruction, payout)];
}

function unlikeReference(instruction: Instruction, payout: ObservedPayout): string[] {
  return hasReference(instruction, payout) ? [] : [`reference ${payout.reference ?? "absent"}`];
}
