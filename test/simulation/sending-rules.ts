/** The rules of sending, judged by what left our process: nonces, how many at once, looks before, one-time codes. */
import type { SeedPlan } from "./seed-plan.ts";
import type { SentCreation } from "./sent-creations.ts";

export interface Sending {
  /** In the order in which their heads were written. */
  readonly sent: readonly SentCreation[];
  /** The most that were on their way at once. */
  readonly busiest: number;
  /** The nonces of the submissions, in the order in which these were written. */
  readonly nonces: readonly bigint[];
  /** What had been given out is forgotten then. */
  readonly hasLostWrites: boolean;
}

/** Every rule that was broken, as a sentence. */
export function* sendingRulesBroken(plan: SeedPlan, sending: Sending): Generator<string> {
  const { sent, nonces, hasLostWrites, busiest } = sending;
  yield* laneBroken(plan, busiest);
  yield* looksSkipped(sent);
  if (hasLostWrites) return;
  yield* noncesBroken(plan, sent);
  yield* allocationBroken(nonces);
  yield* codesUsedAgain(plan, sent);
}

/** No nonce carries two bodies, and where the rule may ask for it they leave in rising order. */
function* noncesBroken({ nonceRule }: SeedPlan, sent: readonly SentCreation[]): Generator<string> {
  const bodies = new Map<bigint, string>();
  let highest = -1n;
  for (const { nonce, businessFields, reference, isOrdered } of sent) {
    const earlier = bodies.get(nonce);
    if (earlier !== undefined && earlier !== businessFields) yield `nonce ${nonce} carried two bodies`;
    if (earlier === undefined && nonceRule !== "unique" && nonce <= highest && !isOrdered) {
      yield `${reference} left with nonce ${nonce} after ${highest}`;
    }
    bodies.set(nonce, businessFields);
    if (nonce > highest) highest = nonce;
  }
}

/** New nonces rise, across restarts too; one that never left is given out again. */
function* allocationBroken(nonces: readonly bigint[]): Generator<string> {
  const seen = new Set<bigint>();
  let highest = -1n;
  for (const nonce of nonces) {
    if (!seen.has(nonce) && nonce < highest) yield `nonce ${nonce} was given out after ${highest}`;
    seen.add(nonce);
    if (nonce > highest) highest = nonce;
  }
}

function* laneBroken({ nonceRule, concurrency }: SeedPlan, busiest: number): Generator<string> {
  const allowed = nonceRule === "unique" ? concurrency : 1;
  if (busiest > allowed) yield `${busiest} creations were on their way where ${allowed} may be`;
}

/** Whoever looks before sending cannot send what has been shown all along. */
function* looksSkipped(sent: readonly SentCreation[]): Generator<string> {
  for (const { wasShown, reference } of sent) {
    if (wasShown) yield `${reference} was sent although the service had shown it since before the run`;
  }
}

/** A code that may be used once is used once, as long as our clock goes forward. */
function* codesUsedAgain({ singleUse, faults }: SeedPlan, sent: readonly SentCreation[]): Generator<string> {
  if (!singleUse || faults.some(({ effect }) => effect.kind === "clock-jump")) return;
  // Compared with the one before only: of a million codes, two steps far apart may have the same.
  const repeated = sent.filter(({ otpCode }, index) => sent[index - 1]?.otpCode === otpCode).length;
  if (repeated > 0) yield `${repeated} one-time codes were used again`;
}
