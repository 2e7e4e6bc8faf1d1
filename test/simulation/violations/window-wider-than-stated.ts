/** Nonces overtake each other by more than the service is stated to accept. */
import * as original from "../../../src/payments/sending/execute.ts";

export * from "../../../src/payments/sending/execute.ts";

export const execute: typeof original.execute = (tools, options) => {
  const { nonceWindow } = tools.policy;
  const wider = nonceWindow === undefined ? {} : { nonceWindow: nonceWindow * 4 };
  return original.execute({ ...tools, policy: { ...tools.policy, ...wider } }, options);
};
