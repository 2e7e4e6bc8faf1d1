/**
 * Where an instruction stands, and where it can go from there.
 *
 *   received ---> approved ---> sending ---> accepted
 *      |             | ^ ^        |  ^-- \-> refused (a person re-opens it: approved again)
 *      v             v |  \_      v  |
 *   withdrawn      held        in doubt ---> abandoned (held and refused as well)
 *
 * sending means that an intent is durable and the request may have left. Outcomes only move forward, and what was refused gets a
 * submission of its own when it is re-opened. A person accepts the payout that shows after all, also of what was held, refused or
 * abandoned. accepted is left only where the payout that was answered proves to be another payment's, which a person says: what came of
 * this one is not known then.
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
  /** abandoned instead of withdrawn where it was sent before, refused and re-opened */
  approved: ["sending", "held", "withdrawn", "abandoned"],
  /** back to approved only when the transport proves that nothing was sent */
  sending: ["accepted", "refused", "in doubt", "approved", "held"],
  "in doubt": ["accepted", "refused", "held", "sending", "abandoned"],
  held: ["approved", "accepted", "withdrawn", "abandoned"],
  /** back to approved only when a person re-opens it, after the cause of the refusal is gone; abandoned where that is not worth it */
  refused: ["held", "approved", "accepted", "abandoned"],
  /** only when its payout is another payment's; held where it was never sent */
  accepted: ["in doubt", "held"],
  withdrawn: [],
  abandoned: ["accepted"],
};

export function mayMove(from: Standing, to: Standing): boolean {
  return EXITS[from].includes(to);
}

/** A person may say which payout is the one of a payment that stands so; of an accepted one where it has got another's. */
export function mayBeAccepted(standing: Standing): boolean {
  return standing === "accepted" || (standing !== "sending" && mayMove(standing, "accepted"));
}

/** Standings that wait for a person. */
export function needsPerson(standing: Standing): boolean {
  return standing === "received" || standing === "in doubt" || standing === "held";
}

/** Standings in which a payment must not stay: what is being sent may have been left by a process that died. */
export function mustNotLast(standing: Standing): boolean {
  return needsPerson(standing) || standing === "sending";
}
