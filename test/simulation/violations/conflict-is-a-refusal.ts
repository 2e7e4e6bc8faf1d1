/** A 409 is taken for a refusal. */
import * as original from "../../../src/payments/sending/outcome.ts";

export * from "../../../src/payments/sending/outcome.ts";

export const outcomeOf: typeof original.outcomeOf = (...given) => {
  const outcome = original.outcomeOf(...given);
  const isConflict = outcome.kind === "in doubt" && outcome.httpStatus === 409;
  return isConflict ? { kind: "refused", evidence: outcome.evidence, httpStatus: 409 } : outcome;
};
