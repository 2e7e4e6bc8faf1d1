/** One-time codes for creations: made at send time, never stored and never logged. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { generateSync } from "otplib";
import type { Clock } from "../context/clock.ts";
import { fault } from "../faults/index.ts";

/** RFC 6238: the service accepts one code per step of this length. */
const STEP_MS = 30_000;

const COMMAND_TIMEOUT_MS = 10_000;

export interface OneTimeCodes {
  /** A code for one creation; waits for the next time step where a code may be used only once. */
  next(signal?: AbortSignal): Promise<string>;
}

export type OneTimeCodeSource =
  | { readonly source: "totp"; readonly secret: string }
  | { readonly source: "command"; readonly command: string };

export function oneTimeCodes(clock: Clock, from: OneTimeCodeSource, singleUse: boolean): OneTimeCodes {
  let lastStep = -1;
  return {
    next: async (signal) => {
      if (singleUse) lastStep = await freshStep(clock, lastStep, signal);
      return from.source === "totp" ? totp(from.secret, clock) : commandOutput(from.command);
    },
  };
}

/** Claims the present time step, or the next one when the present one was used already. */
async function freshStep(clock: Clock, lastStep: number, signal?: AbortSignal): Promise<number> {
  for (;;) {
    const nowMs = Date.parse(clock.now());
    const step = Math.floor(nowMs / STEP_MS);
    if (step > lastStep) return step;
    await clock.sleep((step + 1) * STEP_MS - nowMs, signal);
  }
}

function totp(secret: string, clock: Clock): string {
  try {
    return generateSync({ secret, epoch: Math.floor(Date.parse(clock.now()) / 1000) });
  } catch (error) {
    throw fault(
      "OTP_FAILED",
      { reason: "the secret is not usable Base32 of at least 16 bytes" },
      {},
      { cause: error },
    );
  }
}

async function commandOutput(command: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { timeout: COMMAND_TIMEOUT_MS });
    return stdout.trim();
  } catch (error) {
    throw fault("OTP_FAILED", { reason: `the command failed: ${command}` }, {}, { cause: error });
  }
}
