/** Waits for a service that does not answer, by polling it with exponential backoff. Nothing is sent meanwhile. */
import { sleepUnlessAborted } from "../../context/clock.ts";
import type { Pause } from "./report.ts";
import type { ExecutionTools } from "./tools.ts";

const FIRST_PAUSE_MS = 1000;
const PAUSE_MAX_MS = 60_000;

/**
 * The outages of one run. If the service answers the poll but nothing that the run asks then, the outage continues
 * and its deadline stays. Otherwise the run would never end.
 */
export class Outage {
  private readonly tools: ExecutionTools;
  private readonly onPause: (pause: Pause) => void;
  /**
   * Until when the run waits for the present outage to end, on the monotonic clock; undefined without an outage.
   */
  private endsMs: number | undefined;

  constructor(tools: ExecutionTools, onPause: (pause: Pause) => void) {
    this.tools = tools;
    this.onPause = onPause;
  }

  /** Called when a creation was answered. */
  end(): void {
    this.endsMs = undefined;
  }

  /**
   * Returns true as soon as a look-up is answered; false once the outage has lasted `policy.outageMs`, or when the
   * signal aborts.
   */
  async waitUntilBack(signal?: AbortSignal): Promise<boolean> {
    const { context, gateway, paging, policy } = this.tools;
    if (this.endsMs === undefined) this.onPause({ why: "service is out", milliseconds: policy.outageMs });
    this.endsMs ??= context.clock.monotonicMs() + policy.outageMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)) {
      const leftMs = this.endsMs - context.clock.monotonicMs();
      if (leftMs <= 0 || signal?.aborted === true) return false;
      if (!(await sleepUnlessAborted(context.clock, Math.min(pauseMs, leftMs), signal))) return false;
      const answer = await gateway.call("findPayoutFilteredV2", { page: paging.firstPage, size: 1 });
      if (answer.kind === "success") return true;
    }
  }
}
