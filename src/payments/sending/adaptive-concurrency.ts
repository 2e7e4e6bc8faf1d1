/**
 * How many creations a run keeps in flight, and how long it backs off when the service sends Retry-After. A
 * conflict (409) or a busy answer (429, 503) halves the limit, every 20 accepted creations raise it by one, and
 * after an outage it restarts at one.
 */
import { type Clock, sleepUnlessAborted } from "../../context/clock.ts";
import type { Outcome } from "../../model/index.ts";
import type { Pause } from "./report.ts";
import type { ExecutionPolicy } from "./tools.ts";

/** Accepted creations after which the limit rises by one. */
const STEP_UP_AFTER = 20;

/** Upper bound for a Retry-After: longer waits are left to the next run. */
const HOLD_BACK_MAX_MS = 10 * 60_000;

/** Intents written ahead of their turn, as a share of the limit. Each of them is a doubt if the process dies. */
const AHEAD_SHARE = 0.5;

const BUSY_STATUSES: ReadonlySet<number> = new Set([409, 429, 503]);

export class AdaptiveConcurrency {
  private readonly clock: Clock;
  private readonly onPause: (pause: Pause) => void;
  private readonly concurrencyMax: number;
  private limit: number;
  private acceptedInARow = 0;
  private heldBackUntilMs = 0;

  constructor(clock: Clock, concurrencyMax: number, onPause: (pause: Pause) => void = () => undefined) {
    this.clock = clock;
    this.onPause = onPause;
    this.concurrencyMax = concurrencyMax;
    this.limit = concurrencyMax;
  }

  get current(): number {
    return this.limit;
  }

  /** Adjusts the limit to one outcome. `retryAfterMs`: the delay that the service asked for. */
  learn(outcome: Outcome, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      const milliseconds = Math.min(retryAfterMs, HOLD_BACK_MAX_MS);
      const nowMs = this.clock.monotonicMs();
      if (nowMs >= this.heldBackUntilMs) this.onPause({ why: "service asks for it", milliseconds });
      this.heldBackUntilMs = Math.max(this.heldBackUntilMs, nowMs + milliseconds);
    }
    const status = "httpStatus" in outcome ? outcome.httpStatus : undefined;
    if (status !== undefined && BUSY_STATUSES.has(status)) {
      this.acceptedInARow = 0;
      this.limit = Math.max(1, Math.floor(this.limit / 2));
    } else if (outcome.kind === "accepted") {
      this.acceptedInARow += 1;
      if (this.acceptedInARow % STEP_UP_AFTER === 0)
        this.limit = Math.min(this.limit + 1, this.concurrencyMax);
    }
  }

  /** After an outage: restarts at one, so that the backlog does not reach the service all at once. */
  restart(): void {
    this.acceptedInARow = 0;
    this.limit = 1;
  }

  /** Waits until the Retry-After delay is over, or until the signal aborts; undefined if there is none. */
  holdBack(signal?: AbortSignal): Promise<unknown> | undefined {
    if (this.heldBackUntilMs === 0) return undefined;
    const waitMs = this.heldBackUntilMs - this.clock.monotonicMs();
    return waitMs > 0 ? sleepUnlessAborted(this.clock, waitMs, signal) : undefined;
  }
}

/** Limit on creations in flight per key: one wherever nonces must, or might have to, arrive in order. */
export function sendsAtOnce({ nonceRule, nonceWindow, concurrency }: ExecutionPolicy): number {
  switch (nonceRule) {
    case "unique":
      return concurrency;
    case "increasing":
      return Math.min(concurrency, nonceWindow ?? 1);
    case "unknown":
      return 1;
  }
}

export interface Progress {
  readonly underWay: number;
  /** Creations started since the oldest one in flight. */
  readonly aheadOfOldest: number;
}

/**
 * Whether another creation may start. Bounds both the backlog and how far a nonce may fall behind the highest one
 * sent.
 */
export function hasRoom(
  { underWay, aheadOfOldest }: Progress,
  atOnce: number,
  intendsAhead: boolean,
  nonceWindow = Number.POSITIVE_INFINITY,
): boolean {
  const ahead = intendsAhead ? Math.ceil(atOnce * AHEAD_SHARE) : 0;
  return underWay < atOnce + ahead && aheadOfOldest < nonceWindow;
}
