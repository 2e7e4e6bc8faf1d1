/** Nobody waits until a payout must have become visible. */
import * as original from "../../../src/payments/sending/execute.ts";

export * from "../../../src/payments/sending/execute.ts";

export const execute: typeof original.execute = (tools, options) =>
  original.execute({ ...tools, policy: { ...tools.policy, settleMs: 0 } }, options);
