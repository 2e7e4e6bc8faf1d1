/** One-time codes (OTP): made at send time, never stored and never logged. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { generateSync } from "otplib";
import type { Environment } from "../config/index.ts";
import type { Clock } from "../context/clock.ts";
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";

/** RFC 6238: the service accepts one code per time step of this length. */
const STEP_MS = 30_000;

/** If the clock was set back by more than this, makes a code at once: waiting for the old time could take years. */
const CLOCK_CORRECTION_STEPS = 10;

const COMMAND_TIMEOUT_MS = 10_000;

export interface OneTimeCodes {
  /** Minimum time between two codes; 0 if a code may be reused. */
  readonly spacingMs: number;
  /** Whether a code is available without waiting for a time step, a command or a person. */
  readonly isAtHand: boolean;
  /** A code for one request; a promise unless it is at hand. With single-use codes it waits for the next step. */
  next(signal?: AbortSignal): string | Promise<string>;
  /** Marks the code of the time step of `at` as possibly used by an earlier run. */
  usedAt(at: Instant): void;
}

export type OneTimeCodeSource =
  | { readonly source: "totp"; readonly secret: string }
  /** The command is given this environment, and no other. */
  | { readonly source: "command"; readonly command: string; readonly environment: Environment }
  /** A person types each code when it is needed. */
  | { readonly source: "prompt"; ask(question: string): Promise<string> };

type Command = Extract<OneTimeCodeSource, { readonly source: "command" }>;

export function oneTimeCodes(clock: Clock, from: OneTimeCodeSource, singleUse: boolean): OneTimeCodes {
  let lastStep = -1;
  let made = { step: -1, code: "" };
  const codeOf = (step: number) => {
    switch (from.source) {
      case "totp":
        if (made.step !== step) made = { step, code: totp(from.secret, step) };
        return made.code;
      case "command":
        return commandOutput(from);
      case "prompt":
        return typedCode(from.ask);
    }
  };
  const inTurn = async (signal: AbortSignal | undefined) => {
    for (;;) {
      const nowMs = Date.parse(clock.now());
      const step = Math.floor(nowMs / STEP_MS);
      if (!singleUse || step > lastStep || step < lastStep - CLOCK_CORRECTION_STEPS) {
        // Claimed before any await, so that only one of several concurrent callers gets this step.
        lastStep = step;
        return codeOf(step);
      }
      await clock.sleep((step + 1) * STEP_MS - nowMs, signal);
    }
  };
  const isAtHand = from.source === "totp" && !singleUse;
  return {
    spacingMs: singleUse ? STEP_MS : 0,
    isAtHand,
    next: (signal) => (isAtHand ? codeOf(stepAt(clock.now())) : inTurn(signal)),
    usedAt: (at) => {
      lastStep = Math.max(lastStep, stepAt(at));
    },
  };
}

function stepAt(instant: Instant): number {
  return Math.floor(Date.parse(instant) / STEP_MS);
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

/** Messages never quote the command or its output, because people write the seed into it. */
async function commandOutput(from: Command): Promise<string> {
  const code = (await outputOf(from)).trim();
  if (code === "") throw fault("OTP_FAILED", { reason: "the command of `otp.command` printed nothing" });
  return code;
}

async function outputOf({ command, environment }: Command): Promise<string> {
  try {
    const options = { timeout: COMMAND_TIMEOUT_MS, env: { ...environment } };
    const { stdout } = await promisify(execFile)("sh", ["-c", command], options);
    return stdout;
  } catch (error) {
    // Without its cause, whose message begins with the command.
    const { code, signal } = error as { readonly code?: unknown; readonly signal?: unknown };
    throw fault("OTP_FAILED", { reason: `the command of \`otp.command\` failed (${code ?? signal})` });
  }
}
