/**
 * Where an instruction stands, and where it can go from there.
 *
 *   received ---> approved ---> sending ---> accepted
 *      |             | ^          |  ^-- \-> refused
 *      v             v |          v  |
 *   withdrawn      held        in doubt ---> abandoned
 *
 * sending means that an intent is durable and the request may have left. Outcomes only move forward: nothing leaves
 * accepted, and refused is left only when the refused payout turns up at the service after all (held, with an alarm).
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
  approved: ["sending", "held", "withdrawn"],
  /** back to approved only when the transport proves that nothing was sent */
  sending: ["accepted", "refused", "in doubt", "approved", "held"],
  "in doubt": ["accepted", "refused", "held", "sending", "abandoned"],
  held: ["approved", "accepted", "withdrawn", "abandoned"],
  refused: ["held"],
  accepted: [],
  withdrawn: [],
  abandoned: ["held"],
};

export function mayMove(from: Standing, to: Standing): boolean {
  return EXITS[from].includes(to);
}

/** The standings from which an instruction may move to `to`. */
export function waysInto(to: Standing): Standing[] {
  return STANDINGS.filter((from) => mayMove(from, to));
}

/** Standings that wait for a person. */
export function needsPerson(standing: Standing): boolean {
  return standing === "received" || standing === "in doubt" || standing === "held";
}
