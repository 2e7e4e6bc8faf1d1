/** A payment abandoned in doubt is paid again once a complete look does not show it. */
import { lookForPayment } from "../../../src/payments/sending/doubts/witnessed-look.ts";
import * as original from "../../../src/payments/sending/pay-again-looks.ts";

export * from "../../../src/payments/sending/pay-again-looks.ts";

export const lookBeforePayAgain: typeof original.lookBeforePayAgain = async (tools, keyId, earlier) => {
  const verdict = await original.lookBeforePayAgain(tools, keyId, earlier);
  if (earlier.standing !== "abandoned" || "evidence" in verdict) return verdict;
  const { shown, absence } = await lookForPayment(tools, keyId, earlier);
  return shown.length > 0 || absence.worth === "unproven" ? verdict : { evidence: absence.words };
};
