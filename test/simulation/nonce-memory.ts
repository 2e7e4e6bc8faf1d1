/**
 * A service that forgets: when it carried out each nonce of a key, and whether that is longer ago than it remembers.
 */
import type { SeedPlan } from "./seed-plan.ts";
import { partsOf } from "./sent-creations.ts";
import type { WireRequest } from "./service.ts";
import type { VirtualTime } from "./virtual-time.ts";

const DAY_MS = 86_400_000;

export class NonceMemory {
  private readonly time: VirtualTime;
  /** Undefined: it never forgets. */
  private readonly memoryMs: number | undefined;
  private readonly carriedOutAtMs = new Map<bigint, number>();

  constructor({ nonceRule, memoryDays }: SeedPlan, time: VirtualTime) {
    this.time = time;
    this.memoryMs = nonceRule === "unique" && memoryDays !== undefined ? memoryDays * DAY_MS : undefined;
  }

  hasForgotten(request: WireRequest): boolean {
    if (this.memoryMs === undefined || this.carriedOutAtMs.size === 0) return false;
    const atMs = this.carriedOutAtMs.get(partsOf(request).nonce ?? -1n);
    return atMs !== undefined && this.time.nowMs - atMs >= this.memoryMs;
  }

  /** The request has been carried out. */
  remember(request: WireRequest): void {
    const { nonce } = partsOf(request);
    if (this.memoryMs !== undefined && nonce !== undefined) this.carriedOutAtMs.set(nonce, this.time.nowMs);
  }
}
