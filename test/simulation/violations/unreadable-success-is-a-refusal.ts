/** A success whose body is not the interface's is taken for a refusal. */
import * as original from "../../../src/payments/sending/outcome.ts";

export * from "../../../src/payments/sending/outcome.ts";

export const outcomeOf: typeof original.outcomeOf = (...given) => {
  const outcome = original.outcomeOf(...given);
  const { httpStatus = 0 } = "httpStatus" in outcome ? outcome : {};
  const isSuccess = outcome.kind === "in doubt" && httpStatus >= 200 && httpStatus < 300;
  return isSuccess ? { kind: "refused", evidence: outcome.evidence, httpStatus } : outcome;
};
