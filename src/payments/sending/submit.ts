/** Submissions, from intent to outcome. Nothing that may have left is sent again here. */
import { momentOf } from "../../context/clock.ts";
import type { Problem } from "../../faults/index.ts";
import { retryAfterMs } from "../../gateway/index.ts";
import type { Instruction, Outcome, PayoutId } from "../../model/index.ts";
import { gathered } from "../../store/gathered.ts";
import { getInstruction } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { listUnderWay } from "../../store/submissions.ts";
import { businessFields, creationBody } from "./creation-body.ts";
import { codeFor } from "./creation-code.ts";
import { type Intention, type IntentResult, writeIntents } from "./intent.ts";
import { outcomeOf } from "./outcome.ts";
import {
  custodyAccountGone,
  SEND_WITHIN_MS,
  STOPPED,
  TOO_LATE,
  UNCONFIRMED,
  whyNotWritten,
} from "./send-rules.ts";
import { type Answered, settle, settleAll } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

/** A stored intent, and everything that its request needs. */
export interface Intended extends Intention {
  readonly kind: "intended";
  readonly written: Extract<IntentResult, { readonly kind: "intended" }>;
  readonly otpCode: string;
  readonly sendBeforeMs: number;
}

type NotIntended =
  | { readonly kind: "postponed"; readonly problem: Problem }
  /** The run ended first. Nothing was sent; an intent already written has been given back. */
  | { readonly kind: "not started" };

export type IntendResult = Intended | NotIntended;

export type SubmitResult =
  | {
      readonly kind: "submitted";
      /** The meaning of the answer. */
      readonly judged: Outcome;
      /**
       * The outcome as stored, once it is on disk. The next intent does not wait for it and shares its flush: an
       * outcome lost with the process becomes a doubt, which a look resolves.
       */
      readonly settled: Promise<Outcome>;
      readonly retryAfterMs: number | undefined;
      /** The creation before it carried the same one-time code. */
      readonly isCodeRepeated: boolean;
      /** It was not sent because this process was late, which says nothing about the service. */
      readonly isLate: boolean;
    }
  | NotIntended;

/** How many recent payoutIds are remembered at least: many times the number of connections. */
const LAST_ANSWERED = 1000;

/**
 * Instructions submitted concurrently share one transaction for their intents and one for their outcomes.
 * `mayStillSend` is asked right before each first byte; `signal` only ends the wait for a one-time code.
 */
export function submitter(
  tools: ExecutionTools,
  mayStillSend: () => boolean,
  signal: AbortSignal | undefined,
) {
  const { context, store, gateway, policy, codes } = tools;
  /** Intents under way whose storing was confirmed, so that this process may have sent them. */
  const confirmed = new Set<number>();
  let lastAnswered = new Set<PayoutId>();
  let answeredBefore = new Set<PayoutId>();
  let isAnyUnconfirmed = false;
  let lastCode = "";
  const writeIntent = gathered(store, (intentions: readonly Intention[]) =>
    writeIntents(intentions, gateway.baseUrl, context.clock.now(), policy),
  );
  const settleTogether = gathered(store, settleAll);
  const writeOutcome = async (answered: Answered) => {
    const outcome = await settleTogether(answered);
    confirmed.delete(answered.submissionId);
    return outcome;
  };
  return { intend, send, giveBackUnconfirmed };

  /** Writes the intent of one approved instruction. Throws OTP_FAILED before anything is written. */
  async function intend(instruction: Instruction): Promise<IntendResult> {
    const creation = policy.creationOf(instruction.fields.custodyAccountId);
    if (creation === undefined) return { kind: "postponed", problem: custodyAccountGone(instruction) };
    // The code comes first: waiting for it must not delay the send after the intent.
    const otpCode = await codeFor(tools, creation, signal);
    if (otpCode === undefined || !mayStillSend()) return { kind: "not started" };
    const intention = { instruction, creation, fields: businessFields(instruction, creation) };
    const written = await storeIntent(intention);
    if (written.kind === "postponed") return written;
    const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
    return { kind: "intended", ...intention, written, otpCode, sendBeforeMs };
  }

  async function send(intended: Intended): Promise<SubmitResult> {
    if (isTooLate(intended)) {
      await giveBack(intended, TOO_LATE);
      return sendRenewed(intended);
    }
    // The code may have expired while this intent waited for its turn.
    const otpCode = codes.isAtHand ? await codeFor(tools, intended.creation, signal) : intended.otpCode;
    if (otpCode === undefined || !mayStillSend()) {
      await giveBack(intended, STOPPED);
      return { kind: "not started" };
    }
    const result = await submit({ ...intended, otpCode });
    if (result.kind !== "submitted" || !result.isLate) return result;
    await result.settled;
    return sendRenewed(intended);
  }

  /** Sends with a new intent, after the process was paused too long. */
  async function sendRenewed({ instruction }: Intended): Promise<SubmitResult> {
    const renewed = await intend(instruction);
    return renewed.kind === "intended" ? submit(renewed) : renewed;
  }

  /**
   * After a lost database connection, the database may have stored intents of this lane without confirming them. None
   * of them was sent, so they become due again, with the nonces that `noncesFor` gives them. Rejects if the database
   * still fails; the next run then treats them as doubts.
   */
  async function giveBackUnconfirmed(): Promise<void> {
    if (!isAnyUnconfirmed) return;
    const moment = momentOf(context.clock);
    const outcome: Outcome = { kind: "not sent", evidence: UNCONFIRMED, withheld: true };
    await store.write(function* (): Transaction<void> {
      for (const { id, keyId, instructionId } of yield* listUnderWay())
        if (keyId === policy.keyId && !confirmed.has(id))
          yield* settle(id, yield* getInstruction(instructionId), outcome, moment);
    });
  }

  async function submit(intended: Intended): Promise<SubmitResult> {
    const { instruction, creation, fields, written, otpCode } = intended;
    const body = creationBody(fields, written.nonce, otpCode);
    const isCodeRepeated = otpCode !== "" && otpCode === lastCode;
    lastCode = otpCode;
    let withheld: string | undefined;
    const stopBeforeWrite = () => {
      withheld = whyNotWritten(tools, intended.sendBeforeMs, mayStillSend);
      return withheld;
    };
    const answer = await gateway.call(creation.operation, body, { stopBeforeWrite });
    const judged = outcomeOf(creation, answer, written.isFirstOfNonce ? 1 : 2);
    // Whose payout this is the database says later. The next request must not use this connection before that.
    if (judged.kind === "accepted" && noteAnswered(judged.payoutId)) gateway.renewConnections();
    const moment = momentOf(context.clock);
    const { submissionId } = written;
    const settled = writeOutcome({ submissionId, instruction, outcome: judged, moment });
    context.log.info("submitted", {
      reference: instruction.fields.reference,
      nonce: written.nonce.toString(),
      attempt: written.attempt,
      outcome: judged.kind,
      ...(judged.kind === "accepted" ? { payoutId: judged.payoutId } : {}),
    });
    return {
      kind: "submitted",
      judged,
      settled,
      retryAfterMs: retryAfterMs(answer, moment.at),
      isCodeRepeated,
      isLate: judged.kind === "not sent" && withheld === TOO_LATE,
    };
  }

  /** Remembers the payoutId; true if one of the recent creations was answered with the same one. */
  function noteAnswered(id: PayoutId): boolean {
    const isRepeated = lastAnswered.has(id) || answeredBefore.has(id);
    lastAnswered.add(id);
    if (lastAnswered.size >= LAST_ANSWERED) {
      answeredBefore = lastAnswered;
      lastAnswered = new Set();
    }
    return isRepeated;
  }

  function isTooLate({ sendBeforeMs }: Intended): boolean {
    return context.clock.monotonicMs() > sendBeforeMs;
  }

  async function storeIntent(intention: Intention): Promise<IntentResult> {
    try {
      const written = await writeIntent(intention);
      if (written.kind === "intended") confirmed.add(written.submissionId);
      return written;
    } catch (error) {
      isAnyUnconfirmed = true;
      throw error;
    }
  }

  /** Makes an instruction due again after its intent was stored but not sent. For its nonce see `noncesFor`. */
  async function giveBack({ instruction, written }: Intended, evidence: string): Promise<void> {
    const { submissionId } = written;
    const outcome: Outcome = { kind: "not sent", evidence, withheld: true };
    await writeOutcome({ submissionId, instruction, outcome, moment: momentOf(context.clock) });
  }
}
