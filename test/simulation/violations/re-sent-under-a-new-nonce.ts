/** A doubt is sent again under a nonce of its own, so that nothing fences the first one. */
import * as original from "../../../src/execution/doubts/resend.ts";

export * from "../../../src/execution/doubts/resend.ts";

const STEP = 1_000_000n;

export const resend: typeof original.resend = (tools, submission, ...others) =>
  original.resend(tools, { ...submission, nonce: submission.nonce + STEP }, ...others);
