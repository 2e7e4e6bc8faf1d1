/** A request without an answer is taken for one that never left. */
import * as original from "../../../src/payments/sending/outcome.ts";

export * from "../../../src/payments/sending/outcome.ts";

export const outcomeOf: typeof original.outcomeOf = (...given) => {
  const outcome = original.outcomeOf(...given);
  const isSilence = outcome.kind === "in doubt" && outcome.httpStatus === undefined;
  return isSilence ? { kind: "not sent", evidence: outcome.evidence } : outcome;
};
