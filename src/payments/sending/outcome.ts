/** Classifies the answer to a creation: accepted, refused and not sent need proof; everything else is in doubt. */
import { type Answer, failureOf, type PayoutCreationName } from "../../gateway/index.ts";
import { type Outcome, payoutId } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Creation } from "./tools.ts";

/** RFC 9562, section 5.9. */
const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * A refusal counts only for the first send of a nonce: a later send may be refused because an earlier one was
 * accepted.
 */
export function outcomeOf(
  { operation, authorize }: Creation,
  answer: Answer<PayoutCreationName>,
  /** The number of this send among those of its nonce, from 1. */
  attempt: number,
): Outcome {
  if (answer.kind === "success") return acceptance(answer.status, answer.body.payoutId);
  // Without the flag this operation only creates.
  const onlyCreates = operation === "createPayoutWithFirstAuthorization" && !authorize;
  const failure = failureOf(operation, answer, {
    attempt,
    ...(onlyCreates ? { effect: "payout creation" } : {}),
  });
  if (answer.kind === "unanswered") {
    const { headWritten, reason, unsigned } = answer;
    if (headWritten) return { kind: "in doubt", evidence: `no answer: ${reason}` };
    return { kind: "not sent", evidence: reason, ...present({ unsigned }) };
  }
  const separator = answer.kind === "error" ? ": " : ", ";
  const evidence = `answered ${answer.status}${separator}${failure.serviceText}`;
  const kind = failure.consequence === "refused" ? "refused" : "in doubt";
  return { kind, httpStatus: answer.status, evidence };
}

function acceptance(httpStatus: number, id: string): Outcome {
  const answered = `answered ${httpStatus} with`;
  if (id !== NIL_UUID)
    return { kind: "accepted", httpStatus, evidence: `${answered} a payoutId`, payoutId: payoutId(id) };
  const evidence = `${answered} the payoutId ${NIL_UUID}, which means none`;
  return { kind: "in doubt", httpStatus, evidence };
}
