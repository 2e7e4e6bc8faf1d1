/**
 * Who requests a payout or deposit, and from which account: users with their one-time codes, and the client's
 * accounts.
 */
import { generateSync } from "otplib";
import { type Refusal, refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import type { CustodyAccount } from "../state/money.ts";
import type { Call } from "./operation.ts";

/** Throws 404 for an account that is not the client's, and 400 for a disabled one. */
export function enabledAccount(service: Service, accountId: string): CustodyAccount {
  const found = existingAccount(service, accountId, "accountId");
  if (!found.ownedByClient) throw accountNotFound(accountId, "accountId");
  if (!found.enabled) throw refusal(400, "ACCOUNT_DISABLED", `accountId: ${accountId} is not enabled`);
  return found;
}

/** An account of the client or of a known payee. Throws 404 for any other. */
export function existingAccount({ money }: Service, accountId: string, field: string): CustodyAccount {
  const found = money.account(accountId);
  if (found === undefined) throw accountNotFound(accountId, field);
  return found;
}

function accountNotFound(accountId: string, field: string): Refusal {
  return refusal(404, "ACCOUNT_NOT_FOUND", `${field}: there is no account ${accountId}`);
}

/**
 * Checks the user and, if sent, the one-time code. Returns the change that uses up a single-use code. Equal names
 * under several keys have separate codes.
 */
export function checkedUser(
  { service, client, nowMs }: Call,
  username: string,
  otpCode: string | undefined,
): () => void {
  const { policy, usedCodes } = service;
  const user = client.users.find((candidate) => candidate.username === username);
  if (user === undefined) throw refusal(404, "USER_NOT_FOUND", "username: there is no such user");
  if (otpCode === undefined) return () => undefined;
  const step = stepOfCode(user.otpSecret, otpCode, nowMs);
  const use = `${step} ${otpCode} ${username}`;
  if (step === undefined || (policy.otpSingleUse && usedCodes.get(use) !== undefined)) {
    throw refusal(400, "INVALID_ONE_TIME_CODE", "otpCode: wrong, too old or used before");
  }
  return () => {
    if (policy.otpSingleUse) usedCodes.put(use, { username });
  };
}

/** TOTP (RFC 6238) with SHA-1, six digits, steps of 30 seconds, and one step of tolerance to either side. */
const STEP_SECONDS = 30;
const TOLERANCE_STEPS = 1;

/** The time step that the code belongs to, within the tolerance around `nowMs`; undefined for a wrong code. */
function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const current = Math.floor(nowMs / 1000 / STEP_SECONDS);
  for (let step = current - TOLERANCE_STEPS; step <= current + TOLERANCE_STEPS; step += 1) {
    if (codeOfStep(secret, step) === code) return step;
  }
  return undefined;
}

/** Cached, because hundreds of creations arrive within one step. */
const codes = new Map<string, string>();
const CODES_KEPT_MAX = 1000;

function codeOfStep(secret: string, step: number): string {
  const known = codes.get(`${step} ${secret}`);
  if (known !== undefined) return known;
  if (codes.size >= CODES_KEPT_MAX) codes.clear();
  const code = generateSync({ secret, epoch: step * STEP_SECONDS });
  codes.set(`${step} ${secret}`, code);
  return code;
}
