/**
 * One-time codes of the service's users: TOTP (RFC 6238) with SHA-1, six digits, steps of 30 seconds, and one step of
 * tolerance to either side. Whether a code may be used twice is the policy's choice.
 */
import { generateSync } from "otplib";

const STEP_SECONDS = 30;
const TOLERANCE_STEPS = 1;

/** The time step whose code this is, within the tolerance around `nowMs`; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const current = Math.floor(nowMs / 1000 / STEP_SECONDS);
  for (let step = current - TOLERANCE_STEPS; step <= current + TOLERANCE_STEPS; step += 1) {
    if (codeOfStep(secret, step) === code) return step;
  }
  return undefined;
}

/** Codes already computed: creations come by the hundred within one step. */
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
