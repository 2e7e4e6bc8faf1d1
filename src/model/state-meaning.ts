/**
 * The table of service states and their meanings for us; the interface shows no transitions.
 * open: not final.
 * done: the money was sent.
 * failed: it was not sent; still watched.
 * closed: a deposit that takes no more money.
 * unknown: allows no conclusion.
 */

import type { Instant } from "./instant.ts";

export type StateMeaning = "open" | "done" | "failed" | "closed" | "unknown";

const PAYOUT_MEANINGS: ReadonlyMap<string, StateMeaning> = new Map<string, StateMeaning>([
  ["REQUESTED", "open"],
  ["CREATED", "open"],
  ["COSIGNER_AUTHORIZATIONS_PENDING", "open"],
  ["COSIGNER_AUTHORIZED", "open"],
  ["AUTHORIZED", "open"],
  ["SIGNING", "open"],
  ["SENDING", "open"],
  ["SENT", "open"],
  ["COMPLETED", "done"],
  ["CREATE_FAILED", "failed"],
  ["CANCELLED", "failed"],
  ["SEND_FAILED", "failed"],
  ["CREATE_TIMEOUT", "unknown"],
]);

const DEPOSIT_MEANINGS: ReadonlyMap<string, StateMeaning> = new Map<string, StateMeaning>([
  ["REQUESTED", "open"],
  ["CREATED", "open"],
  ["RECEIVING_FUNDS", "open"],
  ["COMPLETED", "done"],
  ["EXPIRED", "closed"],
  ["VOID", "closed"],
  ["CREATE_FAILED", "failed"],
  ["CREATE_TIMEOUT", "unknown"],
]);

/**
 * How far a payout or deposit in the state has come; it never goes back. The three states of authorization count as
 * one, because the interface does not show who must authorize after whom. States that end it otherwise have no
 * place.
 */
const PAYOUT_PROGRESS: ReadonlyMap<string, number> = new Map([
  ["REQUESTED", 0],
  ["CREATED", 1],
  ["COSIGNER_AUTHORIZATIONS_PENDING", 2],
  ["COSIGNER_AUTHORIZED", 2],
  ["AUTHORIZED", 2],
  ["SIGNING", 3],
  ["SENDING", 4],
  ["SENT", 5],
  ["COMPLETED", 6],
]);

const DEPOSIT_PROGRESS: ReadonlyMap<string, number> = new Map([
  ["REQUESTED", 0],
  ["CREATED", 1],
  ["RECEIVING_FUNDS", 2],
  ["COMPLETED", 3],
]);

/** A state that was reached, and when it was last seen. */
export interface FormerState {
  readonly state: string;
  readonly seenAt: Instant;
}

/** The furthest of the states in which it was ever seen, if it is further than `now`. */
export function furtherState<Seen extends { readonly state: string }>(
  kind: "payout" | "deposit",
  now: string,
  seen: readonly Seen[],
): Seen | undefined {
  const progress = kind === "payout" ? PAYOUT_PROGRESS : DEPOSIT_PROGRESS;
  const placeOf = (state: string) => progress.get(state) ?? -1;
  const place = progress.get(now);
  const [furthest] = seen.toSorted((left, right) => placeOf(right.state) - placeOf(left.state));
  return place !== undefined && furthest !== undefined && placeOf(furthest.state) > place
    ? furthest
    : undefined;
}

/** Whether a payout or deposit in such a state is final; it may still be watched. */
export function hasEnded(meaning: StateMeaning | undefined): boolean {
  return meaning === "done" || meaning === "failed" || meaning === "closed";
}

/** The states in which a payout, or a deposit, has ended. */
export const ENDED_PAYOUT_STATES = statesOf(PAYOUT_MEANINGS, hasEnded);
export const ENDED_DEPOSIT_STATES = statesOf(DEPOSIT_MEANINGS, hasEnded);

/** The states in which a payout may still move money. */
export const OPEN_PAYOUT_STATES = statesOf(PAYOUT_MEANINGS, (meaning) => !hasEnded(meaning));

/** The states in which a payout has ended without paying. */
export const FAILED_PAYOUT_STATES = statesOf(PAYOUT_MEANINGS, hasFailed);

/** The states in which a payout has not paid, or its outcome is unclear: another payment may replace it. */
export const UNPAID_PAYOUT_STATES = statesOf(
  PAYOUT_MEANINGS,
  (meaning) => hasFailed(meaning) || meaning === "unknown",
);

/** The states in which a deposit was never created. */
export const FAILED_DEPOSIT_STATES = statesOf(DEPOSIT_MEANINGS, hasFailed);

function hasFailed(meaning: StateMeaning): boolean {
  return meaning === "failed";
}

function statesOf(
  meanings: ReadonlyMap<string, StateMeaning>,
  isAskedFor: (meaning: StateMeaning) => boolean,
): readonly string[] {
  return [...meanings].flatMap(([state, meaning]) => (isAskedFor(meaning) ? [state] : []));
}

/** Undefined for a state that the interface does not list. */
export function payoutStateMeaning(state: string): StateMeaning | undefined {
  return PAYOUT_MEANINGS.get(state);
}

/** Undefined for a state that the interface does not list. */
export function depositStateMeaning(state: string): StateMeaning | undefined {
  return DEPOSIT_MEANINGS.get(state);
}
