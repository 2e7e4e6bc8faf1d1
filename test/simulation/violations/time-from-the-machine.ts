/** The time is read from the machine instead of the context. */
import * as original from "../../../src/payments/sending/outcome.ts";

export * from "../../../src/payments/sending/outcome.ts";

export const outcomeOf: typeof original.outcomeOf = (...given) => {
  const outcome = original.outcomeOf(...given);
  return { ...outcome, evidence: `${outcome.evidence} at ${Date.now()}` };
};
