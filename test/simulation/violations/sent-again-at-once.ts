/** Nobody waits until a payout must have become visible. */
import * as original from "../../../src/execution/execute.ts";

export * from "../../../src/execution/execute.ts";

export const execute: typeof original.execute = (tools, options) =>
  original.execute({ ...tools, policy: { ...tools.policy, settleMs: 0 } }, options);
