/**
 * The words for where a payment stands: the same at the desk, in answers and in the terminal. GLOSSARY explains them.
 */
import type { Standing } from "./standing.ts";
import { payoutStateMeaning } from "./state-meaning.ts";

/** How the payout of a sent payment has ended. */
export type PayoutEnd = "arrived" | "failed";

/** Where a payment stands as people read it: a sent payment is shown as its payout ended, once it has. */
export type ShownStanding = Standing | PayoutEnd;

/** In the order of a payment's life. */
export const SHOWN_STANDINGS = [
  "received",
  "approved",
  "sending",
  "accepted",
  "arrived",
  "failed",
  "refused",
  "in doubt",
  "held",
  "withdrawn",
  "abandoned",
] as const satisfies readonly ShownStanding[];

export const STANDING_WORDS: Readonly<Record<ShownStanding, string>> = {
  received: "waits for approval",
  approved: "approved",
  sending: "being sent",
  accepted: "sent",
  arrived: "arrived",
  failed: "failed",
  refused: "refused",
  "in doubt": "in doubt",
  held: "held",
  withdrawn: "rejected",
  abandoned: "given up",
};

/** Undefined while a payout in this state may still go on, or if the state allows no conclusion. */
export function payoutEndOf(state: string): PayoutEnd | undefined {
  const meaning = payoutStateMeaning(state);
  if (meaning === "done") return "arrived";
  return meaning === "failed" ? "failed" : undefined;
}

/** For a payment that was sent: "arrived" or "failed", if the state of its payout was seen. */
export function shownStanding(standing: Standing, payoutState = ""): ShownStanding {
  return (standing === "accepted" ? payoutEndOf(payoutState) : undefined) ?? standing;
}

export function standingInWords(standing: Standing, payoutState = ""): string {
  return STANDING_WORDS[shownStanding(standing, payoutState)];
}
