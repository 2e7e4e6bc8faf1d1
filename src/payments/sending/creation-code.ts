/** Whether a creation needs a one-time code, and obtaining it. */
import { lastSentAt } from "../../store/submissions.ts";
import type { ChangeTools, Creation, ExecutionTools } from "./tools.ts";

/** Marks the one-time code of the key's last send as used, whichever process sent it. The caller holds the lane. */
export async function passOverUsedCode({ codes, store, policy }: ChangeTools): Promise<void> {
  const sentAt = await store.read(() => lastSentAt(policy.keyId));
  if (sentAt !== undefined) codes.usedAt(sentAt);
}

/** Returns "" if no code is needed, undefined if the signal aborted the wait. Throws OTP_FAILED. */
export function codeFor(
  { codes }: Pick<ExecutionTools, "codes">,
  creation: Creation,
  signal: AbortSignal | undefined,
): string | Promise<string | undefined> {
  if (!needsCode(creation)) return "";
  const code = codes.next(signal);
  return typeof code === "string" ? code : unlessAborted(code, signal);
}

async function unlessAborted(code: Promise<string>, signal: AbortSignal | undefined) {
  try {
    return await code;
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    throw error;
  }
}

/** "otpCode: required when authorize is true" on the one creation that has the flag, required on all others. */
function needsCode({ operation, authorize }: Creation): boolean {
  return authorize || operation !== "createPayoutWithFirstAuthorization";
}
