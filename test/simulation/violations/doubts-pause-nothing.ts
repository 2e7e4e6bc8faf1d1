/** Although nonces must rise, a lane goes on past a doubt. */
import * as original from "../../../src/payments/sending/execute.ts";

export * from "../../../src/payments/sending/execute.ts";

export const execute: typeof original.execute = (tools, options) => {
  const { nonceRule } = tools.policy;
  const paused = nonceRule === "increasing" ? "unknown" : nonceRule;
  return original.execute({ ...tools, policy: { ...tools.policy, nonceRule: paused } }, options);
};
