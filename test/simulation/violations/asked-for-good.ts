/** A person who is asked about a payment without a visible payout is refused every answer. */

import { fault } from "../../../src/faults/index.ts";
import type * as original from "../../../src/payments/sending/doubts/decide.ts";

export * from "../../../src/payments/sending/doubts/decide.ts";

export const resendByPerson: typeof original.resendByPerson = (_tools, { reference }) => refuse(reference);
export const abandonByPerson: typeof original.abandonByPerson = (_tools, { reference }) => refuse(reference);

async function refuse(reference: string): Promise<never> {
  throw fault("DECISION_REFUSED", { reason: "look", look: "nobody knows" }, { reference });
}
