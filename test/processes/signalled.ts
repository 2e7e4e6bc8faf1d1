/**
 * Makes the program send itself a signal at an exact moment of a creation, and reads the state of its process from the
 * system.
 */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { StartedCommand, Variables } from "../cli/program.ts";

/** Moments of a creation whose intent has been flushed, in order. */
export const MOMENT = {
  /** Before the last check and before a connection is chosen. */
  handedOver: "undici:request:create",
  /** After the last check, right before the socket is written. */
  beforeWrite: "undici:client:sendHeaders",
  /** The system has every byte; nothing of the answer has been read. */
  afterWrite: "undici:request:bodySent",
} as const;

/** A URL contains no spaces, which would end the option. */
const PRELOAD = new URL("./signal-itself.ts", import.meta.url).href;

/**
 * For a process that others start beside while it is suspended: on a busy machine that takes longer than an answer
 * may.
 */
export const PATIENT: Variables = { PAYDROP_HTTP_TIMEOUT_MS: "600000" };

/** The variables for a process that sends itself `signal` at that moment of its `nth` creation. */
export function signalAt(
  moment: (typeof MOMENT)[keyof typeof MOMENT],
  nth: number,
  signal: "SIGINT" | "SIGSTOP" | "SIGKILL",
): Variables {
  return {
    NODE_OPTIONS: `--import ${PRELOAD}`,
    SIGNAL: signal,
    SIGNAL_AT: moment,
    SIGNAL_NTH: String(nth),
  };
}

/** Waits until each of the processes is stopped or has ended, and returns the stopped ones. */
export async function whenSettled(children: readonly StartedCommand[]): Promise<StartedCommand[]> {
  while (children.some((child) => !hasEnded(child) && !isStopped(child))) await wait(5);
  return children.filter((child) => !hasEnded(child));
}

function hasEnded({ exitCode, signalCode }: StartedCommand): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Linux: the field after the name in brackets is the process's state, T if a signal has suspended it. */
function isStopped({ pid }: StartedCommand): boolean {
  try {
    return / T /.test(readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/, ""));
  } catch {
    return false; // it has just ended
  }
}
