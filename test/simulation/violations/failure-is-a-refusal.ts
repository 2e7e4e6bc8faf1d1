/** A 5xx is taken for a refusal: the service failed, so it did nothing. */
import * as original from "../../../src/payments/sending/outcome.ts";

export * from "../../../src/payments/sending/outcome.ts";

export const outcomeOf: typeof original.outcomeOf = (...given) => {
  const outcome = original.outcomeOf(...given);
  if (outcome.kind !== "in doubt" || outcome.httpStatus === undefined || outcome.httpStatus < 500)
    return outcome;
  return { kind: "refused", evidence: outcome.evidence, httpStatus: outcome.httpStatus };
};
