/** Several requests are on their way although nothing is known about nonces. */
import * as original from "../../../src/payments/sending/execute.ts";

export * from "../../../src/payments/sending/execute.ts";

export const execute: typeof original.execute = (tools, options) =>
  original.execute({ ...tools, policy: { ...tools.policy, nonceRule: "unique" } }, options);
