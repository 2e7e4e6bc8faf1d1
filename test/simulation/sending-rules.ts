/**
 * The rules of sending, judged per client key by what left our process: nonces, how many at once, looks before,
 * one-time codes.
 */
import type { SeedPlan } from "./seed-plan.ts";
import type { SentCreation } from "./sent-creations.ts";

/** What was sent under one client key. */
export interface Sending {
  /** In the order in which their heads were written. */
  readonly sent: readonly SentCreation[];
  /** Those whose intents are stored; the others' intents were among flushed writes that got lost. */
  readonly remembered: readonly SentCreation[];
  /** The maximum in flight at once. */
  readonly busiest: number;
  /** The submissions' nonces, in the order in which the submissions were written. */
  readonly nonces: readonly bigint[];
  /** Whether flushed writes got lost; then nobody knows which codes were used. */
  readonly hasLostWrites: boolean;
}

/** Every rule that was broken, as a sentence. */
export function* sendingRulesBroken(plan: SeedPlan, sending: Sending): Generator<string> {
  const { sent, remembered, nonces, hasLostWrites, busiest } = sending;
  yield* laneBroken(plan, busiest);
  yield* looksSkipped(sent);
  yield* noncesBroken(plan, remembered);
  yield* allocationBroken(nonces);
  if (hasLostWrites) return;
  yield* codesUsedAgain(plan, sent);
  yield* sentAgainWrongly(plan, sent);
}

/**
 * An automatic re-send has waited for the settle window, was looked for by a working look, and has not been overtaken.
 */
function* sentAgainWrongly({ nonceRule }: SeedPlan, sent: readonly SentCreation[]): Generator<string> {
  const leftAtMs = new Map<bigint, number>();
  let highest = -1n;
  for (const { nonce, reference, isOrdered, wasLookedForInVain, leftAtMs: atMs } of sent) {
    const beforeMs = leftAtMs.get(nonce);
    if (beforeMs !== undefined && !isOrdered) {
      if (nonceRule === "unknown") yield `${reference} left again under an unknown rule`;
      if (atMs - beforeMs < SETTLE_MS) yield `${reference} left again after ${atMs - beforeMs} ms`;
      if (wasLookedForInVain) yield `${reference} left again on the word of a look that showed nothing`;
      if (nonceRule === "increasing" && nonce < highest) yield `${reference} left again and was overtaken`;
    }
    leftAtMs.set(nonce, atMs);
    if (nonce > highest) highest = nonce;
  }
}

/** The configuration's default. */
const SETTLE_MS = 15 * 60_000;

/**
 * No nonce has two bodies. If the rule may require it, nonces leave in rising order, or as far out of order as the
 * window allows: never so far below the highest that the service may refuse, nor so far above one still in flight.
 */
function* noncesBroken(
  { nonceRule, nonceWindow = 0 }: SeedPlan,
  sent: readonly SentCreation[],
): Generator<string> {
  const bodies = new Map<bigint, string>();
  const window = BigInt(nonceWindow);
  let highest = -1n;
  for (const { nonce, businessFields, reference, isOrdered, lowestOnItsWay = nonce } of sent) {
    const earlier = bodies.get(nonce);
    if (earlier !== undefined && earlier !== businessFields) yield `nonce ${nonce} carried two bodies`;
    const isFresh = earlier === undefined && nonceRule !== "unique" && !isOrdered;
    if (isFresh && nonce < highest - window) yield `${reference} left with nonce ${nonce} after ${highest}`;
    if (isFresh && nonce > lowestOnItsWay + window)
      yield `${reference} left with nonce ${nonce} while ${lowestOnItsWay} was on its way`;
    bodies.set(nonce, businessFields);
    if (nonce > highest) highest = nonce;
  }
}

/** New nonces rise, across restarts too; one that never left is used again. */
function* allocationBroken(nonces: readonly bigint[]): Generator<string> {
  const seen = new Set<bigint>();
  let highest = -1n;
  for (const nonce of nonces) {
    if (!seen.has(nonce) && nonce < highest) yield `nonce ${nonce} was given out after ${highest}`;
    seen.add(nonce);
    if (nonce > highest) highest = nonce;
  }
}

function* laneBroken(
  { nonceRule, nonceWindow = 1, concurrency }: SeedPlan,
  busiest: number,
): Generator<string> {
  const allowed = nonceRule === "unique" ? concurrency : Math.min(nonceWindow, concurrency);
  if (busiest > allowed) yield `${busiest} creations were on their way where ${allowed} may be`;
}

/** A payout that has been shown all along cannot be sent by anybody who looks first. */
function* looksSkipped(sent: readonly SentCreation[]): Generator<string> {
  for (const { wasShown, reference } of sent) {
    if (wasShown) yield `${reference} was sent although the service had shown it since before the run`;
  }
}

/** A single-use code is used once, as long as our clock moves forward. */
function* codesUsedAgain({ singleUse, faults }: SeedPlan, sent: readonly SentCreation[]): Generator<string> {
  if (!singleUse || faults.some(({ effect }) => effect.kind === "clock-jump")) return;
  // Compared only with the one before: among a million codes, two distant steps may share one.
  const repeated = sent.filter(({ otpCode }, index) => sent[index - 1]?.otpCode === otpCode).length;
  if (repeated > 0) yield `${repeated} one-time codes were used again`;
}
