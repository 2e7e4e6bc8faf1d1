/** One-time codes for creations: made at send time, never stored and never logged. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { generateSync } from "otplib";
import type { Clock } from "../context/clock.ts";
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";

/** RFC 6238: the service accepts one code per step of this length. */
const STEP_MS = 30_000;

/** A clock that was set back further than this must not keep us waiting until it is there again: that may take years. */
const CLOCK_CORRECTION_STEPS = 10;

const COMMAND_TIMEOUT_MS = 10_000;

export interface OneTimeCodes {
  /** How far apart codes are at least; 0 where one may be used again. */
  readonly spacingMs: number;
  /** Whether a code is there without waiting for a time step, a command or a person. */
  readonly isAtHand: boolean;
  /** A code for one creation; waits for the next time step where a code may be used only once. */
  next(signal?: AbortSignal): Promise<string>;
  /** Says that an earlier run may have used the code of the time step of `at`. */
  usedAt(at: Instant): void;
}

export type OneTimeCodeSource =
  | { readonly source: "totp"; readonly secret: string }
  | { readonly source: "command"; readonly command: string }
  /** Typed by a person, each one when it is needed. */
  | { readonly source: "prompt"; ask(question: string): Promise<string> };

export function oneTimeCodes(clock: Clock, from: OneTimeCodeSource, singleUse: boolean): OneTimeCodes {
  let lastStep = -1;
  let made = { step: -1, code: "" };
  const codeOf = (step: number) => {
    switch (from.source) {
      case "totp":
        if (made.step !== step) made = { step, code: totp(from.secret, step) };
        return made.code;
      case "command":
        return commandOutput(from.command);
      case "prompt":
        return typedCode(from.ask);
    }
  };
  return {
    spacingMs: singleUse ? STEP_MS : 0,
    isAtHand: from.source === "totp" && !singleUse,
    next: async (signal) => {
      for (;;) {
        const nowMs = Date.parse(clock.now());
        const step = Math.floor(nowMs / STEP_MS);
        if (!singleUse || step > lastStep || step < lastStep - CLOCK_CORRECTION_STEPS) {
          // Claimed before anything is awaited: of several callers that wake in one step, one gets it.
          lastStep = step;
          return codeOf(step);
        }
        await clock.sleep((step + 1) * STEP_MS - nowMs, signal);
      }
    },
    usedAt: (at) => {
      lastStep = Math.max(lastStep, Math.floor(Date.parse(at) / STEP_MS));
    },
  };
}

function totp(secret: string, step: number): string {
  try {
    return generateSync({ secret, epoch: (step * STEP_MS) / 1000 });
  } catch (error) {
    throw fault(
      "OTP_FAILED",
      { reason: "the secret is not usable Base32 of at least 16 bytes" },
      {},
      { cause: error },
    );
  }
}

async function typedCode(ask: (question: string) => Promise<string>): Promise<string> {
  const code = (await ask("one-time code: ")).trim();
  if (code === "") throw fault("OTP_FAILED", { reason: "no code was typed" });
  return code;
}

async function commandOutput(command: string): Promise<string> {
  const code = (await outputOf(command)).trim();
  if (code === "") throw fault("OTP_FAILED", { reason: `the command printed nothing: ${command}` });
  return code;
}

async function outputOf(command: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { timeout: COMMAND_TIMEOUT_MS });
    return stdout;
  } catch (error) {
    throw fault("OTP_FAILED", { reason: `the command failed: ${command}` }, {}, { cause: error });
  }
}
