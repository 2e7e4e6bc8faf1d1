/**
 * How much of the service's patience a run uses: how many creations at once, and how long it holds back. Conflicts and "too many
 * requests" make it smaller at once, answers make it larger slowly, and after an outage it begins with one.
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

export class Manners {
  private readonly clock: Clock;
  private readonly concurrencyMax: number;
  private current: number;
  private acceptedInARow = 0;
  private heldBackUntilMs = 0;

  constructor(clock: Clock, concurrencyMax: number) {
    this.clock = clock;
    this.concurrencyMax = concurrencyMax;
    this.current = concurrencyMax;
  }

  /** Creations that may be on their way at once. */
  get concurrency(): number {
    return this.current;
  }

  learn(outcome: Outcome, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) {
      const untilMs = this.clock.monotonicMs() + Math.min(retryAfterMs, HOLD_BACK_MAX_MS);
      this.heldBackUntilMs = Math.max(this.heldBackUntilMs, untilMs);
    }
    const status = "httpStatus" in outcome ? outcome.httpStatus : undefined;
    if (status !== undefined && BUSY_STATUSES.has(status)) {
      this.acceptedInARow = 0;
      this.current = Math.max(1, Math.floor(this.current / 2));
    } else if (outcome.kind === "accepted") {
      this.acceptedInARow += 1;
      if (this.acceptedInARow % STEP_UP_AFTER === 0)
        this.current = Math.min(this.current + 1, this.concurrencyMax);
    }
  }

  /** The service is back: no storm on it. */
  beginAnew(): void {
    this.acceptedInARow = 0;
    this.current = 1;
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
