/** The one-time code of a creation: whether it needs one, and getting it. */
import { lastSentAt } from "../store/submissions.ts";
import type { ChangeTools, Creation, ExecutionTools } from "./tools.ts";

/** "otpCode: required when authorize is true" on the one creation that has the flag, required on all others. */
export function needsCode({ operation, authorize }: Creation): boolean {
  return authorize || operation !== "createPayoutWithFirstAuthorization";
}

/** Marks the one-time code of the key's last send as used, also where another process sent it. The caller holds the lane. */
export async function passOverUsedCode({ codes, store, policy }: ChangeTools): Promise<void> {
  const sentAt = await store.read(() => lastSentAt(policy.keyId));
  if (sentAt !== undefined) codes.usedAt(sentAt);
}

/** Undefined when the run was stopped while it waited. */
export async function nextCode(
  { codes }: Pick<ExecutionTools, "codes">,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return await codes.next(signal);
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    throw error;
  }
}
