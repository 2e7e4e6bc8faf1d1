/** One submission, from intent to outcome. Nothing here is ever retried. */
import type { Problem } from "../faults/index.ts";
import type { Instruction, Outcome } from "../model/index.ts";
import { businessFields } from "./creation-body.ts";
import { writeIntent } from "./intent.ts";
import { outcomeOf } from "./outcome.ts";
import { settle } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

const OPERATION = "createPayoutV2";

/** The request must reach the socket within this time of its intent, or it does not leave. */
const SEND_WITHIN_MS = 60_000;

export type SubmitResult =
  | { readonly kind: "submitted"; readonly outcome: Outcome }
  | { readonly kind: "postponed"; readonly problem: Problem }
  /** The run ended before an intent was written. */
  | { readonly kind: "not started" };

/** Sends one approved instruction once and returns its durable outcome. `mayStillSend` is asked right before the first byte. */
export async function submit(
  tools: ExecutionTools,
  instruction: Instruction,
  mayStillSend: () => boolean,
): Promise<SubmitResult> {
  const { context, store, gateway, codes, policy } = tools;
  // The code is made first: waiting for it must not happen between the intent and the send.
  const otpCode = await codes.next();
  if (!mayStillSend()) return { kind: "not started" };
  const intent = await store.write(() =>
    writeIntent(instruction, OPERATION, gateway.baseUrl, context.clock.now(), policy),
  );
  if (intent.kind === "postponed") return intent;

  const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
  const body = { ...businessFields(instruction), nonce: intent.nonce, otpCode };
  const answer = await gateway.call(OPERATION, body, () => {
    if (!mayStillSend()) return "the run was stopped";
    return context.clock.monotonicMs() > sendBeforeMs ? "its time to be sent had passed" : undefined;
  });
  const outcome = await store.write(() =>
    settle(intent.submissionId, instruction, outcomeOf(answer, intent.attempt), context.clock.now()),
  );
  context.log.info("submitted", {
    reference: instruction.fields.reference,
    nonce: intent.nonce.toString(),
    attempt: intent.attempt,
    outcome: outcome.kind,
    ...(outcome.kind === "accepted" ? { payoutId: outcome.payoutId } : {}),
  });
  return { kind: "submitted", outcome };
}
