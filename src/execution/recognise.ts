/** Is a payout that was found at the service the one that an instruction asked for? */
import {
  correlatedCallbackUrl,
  destinationField,
  type Instant,
  type Instruction,
  type ObservedPayout,
  sameDestination,
} from "../model/index.ts";
import { formatAmount, sameAmount } from "../money/index.ts";

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
  const { fields } = instruction;
  const found: string[] = [];
  if (payout.reference !== fields.reference) found.push(`reference ${payout.reference ?? "absent"}`);
  if (policy.correlation === "callbackUrl" && payout.callbackUrl !== correlatedCallbackUrl(instruction)) {
    found.push("callbackUrl of another instruction");
  }
  if (!sameAmount(payout.requestedAmount, fields.amount))
    found.push(`amount ${formatAmount(payout.requestedAmount)}`);
  if (payout.custodyAccountId !== fields.custodyAccountId)
    found.push(`custody account ${payout.custodyAccountId}`);
  const field = destinationField(fields);
  if (!sameDestination(payout[field] ?? "", fields[field] ?? "")) {
    const what = field === "destinationAddress" ? "destination address" : "destination account";
    found.push(`${what} ${payout[field] ?? "absent"}`);
  }
  if (
    payout.createdAt !== undefined &&
    Date.parse(payout.createdAt) < Date.parse(intendedAt) - policy.clockSkewMs
  ) {
    found.push(`created ${payout.createdAt}, before it was asked for`);
  }
  return found;
}
