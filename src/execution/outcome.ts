/**
 * What an answer to a creation means. Four outcomes and no more: only what is proven is called accepted, refused or not
 * sent; everything else is in doubt.
 */
import { type Answer, errorText } from "../gateway/index.ts";
import { type Outcome, payoutId } from "../model/index.ts";

/** A refusal counts only for the first send of a nonce: later ones may be refused because the first one was accepted. */
export function outcomeOf(answer: Answer<"createPayoutV2">, attempt: number): Outcome {
  switch (answer.kind) {
    case "success":
      return {
        kind: "accepted",
        payoutId: payoutId(answer.body.payoutId),
        httpStatus: answer.status,
        evidence: `answered ${answer.status} with a payoutId`,
      };
    case "error": {
      const evidence = `answered ${answer.status}: ${errorText(answer.errors)}`;
      const isRefusal = attempt === 1 && (answer.status === 400 || answer.status === 404);
      return { kind: isRefusal ? "refused" : "in doubt", httpStatus: answer.status, evidence };
    }
    case "unreadable":
      return {
        kind: "in doubt",
        httpStatus: answer.status,
        evidence: `answered ${answer.status}, ${answer.reason}`,
      };
    case "unanswered":
      return answer.headWritten
        ? { kind: "in doubt", evidence: `no answer: ${answer.reason}` }
        : { kind: "not sent", evidence: answer.reason };
  }
}
