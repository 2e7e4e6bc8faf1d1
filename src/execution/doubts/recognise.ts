/** Is a payout that was found at the service the one that an instruction asked for? */
import {
  correlatedCallbackUrl,
  destinationField,
  type Instant,
  type Instruction,
  type ObservedPayout,
  sameDestination,
} from "../../model/index.ts";
import { formatAmount, sameAmount } from "../../money/index.ts";

export interface RecognitionPolicy {
  readonly correlation: "callbackUrl" | "reference";
  /** The service's clock may differ from ours by so much. */
  readonly clockSkewMs: number;
}

/** Every field in which the payout is not what was asked for; empty when it is the one. */
export function differences(
  instruction: Instruction,
  intendedAt: Instant,
  payout: ObservedPayout,
  policy: RecognitionPolicy,
): string[] {
  const found = [...unlikeReference(instruction, payout)];
  if (policy.correlation === "callbackUrl" && !isNamed(instruction, payout)) {
    found.push(payout.callbackUrl === undefined ? "no callbackUrl" : "another callbackUrl");
  }
  found.push(...paidOtherwise(instruction, payout));
  if (
    payout.createdAt !== undefined &&
    Date.parse(payout.createdAt) < Date.parse(intendedAt) - policy.clockSkewMs
  ) {
    found.push(`created ${payout.createdAt}, before it was asked for`);
  }
  return found;
}

/**
 * Whether a payout is certainly the instruction's: it has the instruction's own callbackUrl, whose end nobody can guess, or differs in
 * nothing. Where a request has left and the service shows no callbackUrl, that is not counted as a difference.
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

/** Whether it bears the callbackUrl that was sent with the instruction and with nothing else. */
export function isNamed(instruction: Instruction, { callbackUrl }: ObservedPayout): boolean {
  return callbackUrl === correlatedCallbackUrl(instruction);
}

/** Whether the service shows it as made for something else: under another callbackUrl and another reference. */
export function isAnothers(instruction: Instruction, payout: ObservedPayout): boolean {
  // A service that keeps references in a way of its own shows our callbackUrl all the same.
  const { callbackUrl, reference } = payout;
  return (
    callbackUrl !== undefined && !isNamed(instruction, payout) && reference !== instruction.fields.reference
  );
}

/** Why a person may not accept a payout as the instruction's: neither reference nor callbackUrl is its own, or it pays something else. */
export function whyNotTheOne(instruction: Instruction, payout: ObservedPayout): string[] {
  const unnamed = isNamed(instruction, payout) ? [] : unlikeReference(instruction, payout);
  return [...unnamed, ...paidOtherwise(instruction, payout)];
}

function unlikeReference({ fields }: Instruction, { reference }: ObservedPayout): string[] {
  return reference === fields.reference ? [] : [`reference ${reference ?? "absent"}`];
}

function paidOtherwise({ fields }: Instruction, payout: ObservedPayout): string[] {
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
