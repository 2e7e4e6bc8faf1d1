/** A doubt is re-sent under a new nonce, so that nothing stops the first request from counting too. */
import * as original from "../../../src/payments/sending/doubts/resend.ts";

export * from "../../../src/payments/sending/doubts/resend.ts";

const STEP = 1_000_000n;

export const resend: typeof original.resend = (tools, submission, ...others) =>
  original.resend(tools, { ...submission, nonce: submission.nonce + STEP }, ...others);
