/** Waits for a service that is out, by polling it with exponential backoff; nothing is sent meanwhile. */
import { sleepUnlessAborted } from "../context/clock.ts";
import type { ExecutionTools } from "./tools.ts";

const FIRST_PAUSE_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/** Returns true as soon as a look-up is answered; false after `policy.outageMs`, or when the signal aborts. */
export async function waitUntilBack(tools: ExecutionTools, signal?: AbortSignal): Promise<boolean> {
  const { context, gateway, paging, policy } = tools;
  const untilMs = context.clock.monotonicMs() + policy.outageMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
    const leftMs = untilMs - context.clock.monotonicMs();
    if (leftMs <= 0 || signal?.aborted === true) return false;
    if (!(await sleepUnlessAborted(context.clock, Math.min(pauseMs, leftMs), signal))) return false;
    const answer = await gateway.call("findPayoutFilteredV2", { page: paging.firstPage, size: 1 });
    if (answer.kind === "success") return true;
  }
}
