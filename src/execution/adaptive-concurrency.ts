/**
 * How many creations a run sends at once, and how long it waits when the service asks for that. Conflicts (409) and busy answers (429, 503)
 * halve the number at once, accepted creations raise it slowly, and after an outage it begins with one.
 */
import { type Clock, hasSlept } from "../context/clock.ts";
import type { Outcome } from "../model/index.ts";
import type { ExecutionPolicy } from "./tools.ts";

/** Accepted creations after which one more may be on its way. */
const STEP_UP_AFTER = 20;

/** However long the service asks for: a person may look at what waits so long. */
const HOLD_BACK_MAX_MS = 10 * 60_000;

/** Intents that are written before it is their turn, as a share of what may be on its way: each may be a doubt after a crash. */
const AHEAD_SHARE = 0.5;

const BUSY_STATUSES: ReadonlySet<number> = new Set([409, 429, 503]);

export class AdaptiveConcurrency {
  private readonly clock: Clock;
  private readonly concurrencyMax: number;
  private limit: number;
  private acceptedInARow = 0;
  private heldBackUntilMs = 0;

  constructor(clock: Clock, concurrencyMax: number) {
    this.clock = clock;
    this.concurrencyMax = concurrencyMax;
    this.limit = concurrencyMax;
  }

  /** Creations that may be on their way at once now. */
  get current(): number {
    return this.limit;
  }

  /** `retryAfterMs`: how long the service asked to be left alone. */
  learn(outcome: Outcome, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      const untilMs = this.clock.monotonicMs() + Math.min(retryAfterMs, HOLD_BACK_MAX_MS);
      this.heldBackUntilMs = Math.max(this.heldBackUntilMs, untilMs);
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

  /** After an outage: what waits must not reach the service all at once. */
  beginAnew(): void {
    this.acceptedInARow = 0;
    this.limit = 1;
  }

  /** Waits for as long as the service asked, or until the signal aborts. */
  async holdBack(signal?: AbortSignal): Promise<void> {
    const waitMs = this.heldBackUntilMs - this.clock.monotonicMs();
    if (waitMs > 0) await hasSlept(this.clock, waitMs, signal);
  }
}

/** Creations of a key that may be on their way together: one where nonces must arrive in order, or might have to. */
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
  /** Creations that have started and not ended. */
  readonly underWay: number;
  /** How many have started since the oldest of them. */
  readonly aheadOfOldest: number;
}

/** Whether another one may start: what waits is bounded, and no nonce falls further behind than its window allows. */
export function hasRoom(
  { underWay, aheadOfOldest }: Progress,
  atOnce: number,
  intendsAhead: boolean,
  nonceWindow = Number.POSITIVE_INFINITY,
): boolean {
  const ahead = intendsAhead ? Math.ceil(atOnce * AHEAD_SHARE) : 0;
  return underWay < atOnce + ahead && aheadOfOldest < nonceWindow;
}
