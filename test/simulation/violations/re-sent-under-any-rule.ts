/** What a look does not show is sent again at once: no rule of nonces, no settle window, no witness. */
import * as original from "../../../src/payments/sending/doubts/resend.ts";

export * from "../../../src/payments/sending/doubts/resend.ts";

export const whyNotResent: typeof original.whyNotResent = function* (...given) {
  const obstacle = yield* original.whyNotResent(...given);
  return obstacle?.startsWith("the look") ? obstacle : undefined;
};
