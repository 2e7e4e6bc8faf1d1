/**
 * The words for a payment's standing: the same at the desk, in answers and in the terminal. GLOSSARY explains them.
 */
import type { Standing } from "./standing.ts";
import { payoutStateMeaning } from "./state-meaning.ts";

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  received: "waits for approval",
  approved: "approved",
  sending: "being sent",
  accepted: "sent",
  refused: "refused",
  "in doubt": "in doubt",
  held: "held",
  withdrawn: "rejected",
  abandoned: "given up",
};

/** For a payment that was sent: "arrived" or "failed", if the state of its payout was seen. */
export function standingInWords(standing: Standing, payoutState = ""): string {
  const meaning = standing === "accepted" ? payoutStateMeaning(payoutState) : undefined;
  if (meaning === "done") return "arrived";
  return meaning === "failed" ? "failed" : STANDING_WORDS[standing];
}
