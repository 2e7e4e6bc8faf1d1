/** The service is taken to remember every nonce for ever. */
import * as original from "../../../src/payments/sending/execute.ts";

export * from "../../../src/payments/sending/execute.ts";

export const execute: typeof original.execute = (tools, options) => {
  const nonceMemoryMs = Number.MAX_SAFE_INTEGER;
  return original.execute({ ...tools, policy: { ...tools.policy, nonceMemoryMs } }, options);
};
