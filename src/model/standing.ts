/**
 * The standings of an instruction and the transitions between them; EXITS has them all.
 *
 *   received --> approved --> sending --> accepted
 *                               |-------> refused     a person may re-open it: approved again
 *                               `-------> in doubt    until a look, a re-send or a person resolves it
 *
 *   held       the service has something under its reference that is not provably ours, or it may be paid already
 *   withdrawn  recalled before anything was sent
 *   abandoned  given up by a person after something was, or may have been, sent or made; still watched
 *
 * sending means that the intent is durable and the request may have left. Outcomes only move forward: a re-opened
 * payment gets a new submission. A person may accept a payout that appears later, also for a held, refused or abandoned
 * payment. accepted is left only if a person finds that its payout belongs to another payment; what became of its own
 * request is then unknown.
 */

export const STANDINGS = [
  "received",
  "approved",
  "sending",
  "accepted",
  "refused",
  "in doubt",
  "held",
  "withdrawn",
  "abandoned",
] as const;

export type Standing = (typeof STANDINGS)[number];

const EXITS: Readonly<Record<Standing, readonly Standing[]>> = {
  received: ["approved", "withdrawn"],
  /** abandoned instead of withdrawn if it was sent before, refused and re-opened */
  approved: ["sending", "held", "withdrawn", "abandoned"],
  /** back to approved only if the transport proves that nothing was sent */
  sending: ["accepted", "refused", "in doubt", "approved", "held"],
  "in doubt": ["accepted", "refused", "held", "sending", "abandoned"],
  held: ["approved", "accepted", "withdrawn", "abandoned"],
  /** back to approved only if a person re-opens it, once the cause is fixed; abandoned if that is not worth it */
  refused: ["held", "approved", "accepted", "abandoned"],
  /** only if its payout belongs to another payment; held if it was never sent */
  accepted: ["in doubt", "held"],
  withdrawn: [],
  abandoned: ["accepted"],
};

export function mayMove(from: Standing, to: Standing): boolean {
  return EXITS[from].includes(to);
}

/** Whether a person may accept a payout; for an accepted payment, only if its payout belongs to another. */
export function mayBeAccepted(standing: Standing): boolean {
  return standing === "accepted" || (standing !== "sending" && mayMove(standing, "accepted"));
}

/** Standings that wait for a person, and sending, where a dead process may have left a payment. */
export function mustNotLast(standing: Standing): boolean {
  return ["received", "in doubt", "held", "sending"].includes(standing);
}
