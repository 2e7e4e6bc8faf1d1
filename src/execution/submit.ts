/** One submission, from intent to outcome. Nothing here is ever retried. */
import { momentOf } from "../context/clock.ts";
import type { Problem } from "../faults/index.ts";
import { retryAfterMs } from "../gateway/index.ts";
import type { Instruction, Outcome } from "../model/index.ts";
import { gathered } from "../store/gathered.ts";
import { businessFields, creationBody } from "./creation-body.ts";
import { needsCode, nextCode, withoutCode } from "./creation-code.ts";
import { type Intention, type IntentResult, writeIntents } from "./intent.ts";
import { outcomeOf } from "./outcome.ts";
import { type Answered, settleAll } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

/** The request must reach the socket within this time of its intent, or it does not leave. */
const SEND_WITHIN_MS = 60_000;

export type SubmitResult =
  | {
      readonly kind: "submitted";
      /** What the answer means. */
      readonly judged: Outcome;
      /**
       * The outcome as it was written, once that is on the disk. The next intent need not wait for it, and shares its flush: an
       * outcome that is lost with the process is a doubt, which looking resolves.
       */
      readonly settled: Promise<Outcome>;
      /** How long the service asks to be left alone. */
      readonly retryAfterMs: number | undefined;
    }
  | { readonly kind: "postponed"; readonly problem: Problem }
  /** The run ended before an intent was written. */
  | { readonly kind: "not started" };

/**
 * Sends one approved instruction once and returns what came of it. `mayStillSend` is asked right before the first byte;
 * `signal` ends only the wait for a one-time code. Throws OTP_FAILED before anything is written.
 */
export type Submit = (
  instruction: Instruction,
  mayStillSend: () => boolean,
  signal?: AbortSignal,
) => Promise<SubmitResult>;

/** Instructions that are submitted at the same time share a transaction for their intents, and one for their outcomes. */
export function submitter(tools: ExecutionTools): Submit {
  const { context, store, gateway, policy } = tools;
  const written: Written = {
    intent: gathered(store, (intentions) =>
      writeIntents(intentions, gateway.baseUrl, context.clock.now(), policy),
    ),
    outcome: gathered(store, settleAll),
  };
  return (...args) => submit(tools, written, ...args);
}

interface Written {
  intent(intention: Intention): Promise<IntentResult>;
  outcome(answered: Answered): Promise<Outcome>;
}

async function submit(
  tools: ExecutionTools,
  written: Written,
  instruction: Instruction,
  mayStillSend: () => boolean,
  signal?: AbortSignal,
): Promise<SubmitResult> {
  const { context, gateway, policy } = tools;
  const creation = policy.creationOf(instruction.fields.custodyAccountId);
  const fields = businessFields(instruction, creation);
  // The code is made first: waiting for it must not happen between the intent and the send.
  const otpCode = needsCode(creation) ? await nextCode(tools, signal) : "";
  if (otpCode === undefined || !mayStillSend()) return { kind: "not started" };
  const intent = await written.intent({ instruction, creation, fields });
  if (intent.kind === "postponed") return intent;

  const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
  const body = creationBody(fields, intent.nonce, otpCode);
  const answer = await gateway.call(creation.operation, body, () => {
    if (!mayStillSend()) return "the run was stopped";
    const stopped = policy.stopped();
    if (stopped !== undefined) return stopped;
    return context.clock.monotonicMs() > sendBeforeMs ? "its time to be sent had passed" : undefined;
  });
  const judged = withoutCode(outcomeOf(creation, answer, intent.isFirstOfNonce ? 1 : 2), otpCode);
  const moment = momentOf(context.clock);
  const settled = written.outcome({
    submissionId: intent.submissionId,
    instruction,
    outcome: judged,
    moment,
  });
  context.log.info("submitted", {
    reference: instruction.fields.reference,
    nonce: intent.nonce.toString(),
    attempt: intent.attempt,
    outcome: judged.kind,
    ...(judged.kind === "accepted" ? { payoutId: judged.payoutId } : {}),
  });
  return { kind: "submitted", judged, settled, retryAfterMs: retryAfterMs(answer, moment.at) };
}
