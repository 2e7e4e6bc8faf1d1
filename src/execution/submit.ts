/** Submissions, from intent to outcome. Nothing that may have left is sent again here. */
import { momentOf } from "../context/clock.ts";
import type { Problem } from "../faults/index.ts";
import { retryAfterMs } from "../gateway/index.ts";
import type { Instruction, Outcome, PayoutId } from "../model/index.ts";
import { gathered } from "../store/gathered.ts";
import { getInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { listUnderWay } from "../store/submissions.ts";
import { businessFields, creationBody } from "./creation-body.ts";
import { codeFor } from "./creation-code.ts";
import { type Intention, type IntentResult, writeIntents } from "./intent.ts";
import { outcomeOf } from "./outcome.ts";
import {
  custodyAccountGone,
  SEND_WITHIN_MS,
  STOPPED,
  TOO_LATE,
  UNANSWERED,
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
      /** What the answer means. */
      readonly judged: Outcome;
      /**
       * The outcome as stored, once it is on disk. The next intent does not wait for it and shares its flush: an
       * outcome lost with the process becomes a doubt, which a look resolves.
       */
      readonly settled: Promise<Outcome>;
      readonly retryAfterMs: number | undefined;
      /** The creation before it carried the same one-time code. */
      readonly isCodeRepeated: boolean;
    }
  | NotIntended;

/** How many recent payoutIds are remembered at least: many times the number of connections. */
const LAST_ANSWERED = 1000;

/** Instructions submitted concurrently share one transaction for their intents and one for their outcomes. */
export class Submitter {
  private readonly tools: ExecutionTools;
  private readonly mayStillSend: () => boolean;
  private readonly signal: AbortSignal | undefined;
  private readonly writeIntent: (intention: Intention) => Promise<IntentResult>;
  private readonly writeOutcome: (answered: Answered) => Promise<Outcome>;
  /** Intents under way that this process knows to be stored, and may therefore have sent. */
  private readonly known = new Set<number>();
  private lastAnswered = new Set<PayoutId>();
  private answeredBefore = new Set<PayoutId>();
  private isAnyUnanswered = false;
  private lastCode = "";

  /** `mayStillSend` is asked right before each first byte; `signal` only ends the wait for a one-time code. */
  constructor(tools: ExecutionTools, mayStillSend: () => boolean, signal: AbortSignal | undefined) {
    const { context, store, gateway, policy } = tools;
    this.tools = tools;
    this.mayStillSend = mayStillSend;
    this.signal = signal;
    this.writeIntent = gathered(store, (intentions) =>
      writeIntents(intentions, gateway.baseUrl, context.clock.now(), policy),
    );
    const settled = gathered(store, settleAll);
    this.writeOutcome = async (answered) => {
      const outcome = await settled(answered);
      this.known.delete(answered.submissionId);
      return outcome;
    };
  }

  /** Writes the intent of one approved instruction. Throws OTP_FAILED before anything is written. */
  async intend(instruction: Instruction): Promise<IntendResult> {
    const { context, policy } = this.tools;
    const creation = policy.creationOf(instruction.fields.custodyAccountId);
    if (creation === undefined) return { kind: "postponed", problem: custodyAccountGone(instruction) };
    // The code comes first: waiting for it must not delay the send after the intent.
    const otpCode = await codeFor(this.tools, creation, this.signal);
    if (otpCode === undefined || !this.mayStillSend()) return { kind: "not started" };
    const intention = { instruction, creation, fields: businessFields(instruction, creation) };
    const written = await this.storeIntent(intention);
    if (written.kind === "postponed") return written;
    const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
    return { kind: "intended", ...intention, written, otpCode, sendBeforeMs };
  }

  async send(intended: Intended): Promise<SubmitResult> {
    if (this.isTooLate(intended)) {
      await this.giveBack(intended, TOO_LATE);
      const anew = await this.intend(intended.instruction);
      return anew.kind === "intended" ? this.submit(anew) : anew;
    }
    // The code may have expired while this intent waited for its turn.
    const { codes } = this.tools;
    const otpCode = codes.isAtHand
      ? await codeFor(this.tools, intended.creation, this.signal)
      : intended.otpCode;
    if (otpCode === undefined || !this.mayStillSend()) {
      await this.giveBack(intended, STOPPED);
      return { kind: "not started" };
    }
    return this.submit({ ...intended, otpCode });
  }

  /**
   * After a lost database connection: intents of this lane may have been stored without our knowing. None of them was
   * sent, so they become due again under the same nonces. Rejects if the database still fails; the next run then treats
   * them as doubts.
   */
  async giveBackUnanswered(): Promise<void> {
    if (!this.isAnyUnanswered) return;
    const { store, context, policy } = this.tools;
    const { known } = this;
    const moment = momentOf(context.clock);
    const outcome: Outcome = { kind: "not sent", evidence: UNANSWERED, withheld: true };
    await store.write(function* (): Transaction<void> {
      for (const { id, keyId, instructionId } of yield* listUnderWay())
        if (keyId === policy.keyId && !known.has(id))
          yield* settle(id, yield* getInstruction(instructionId), outcome, moment);
    });
  }

  private async submit(intended: Intended): Promise<SubmitResult> {
    const { context, gateway } = this.tools;
    const { instruction, creation, fields, written, otpCode } = intended;
    const body = creationBody(fields, written.nonce, otpCode);
    const isCodeRepeated = otpCode !== "" && otpCode === this.lastCode;
    this.lastCode = otpCode;
    const stopBeforeWrite = () => whyNotWritten(this.tools, intended.sendBeforeMs, this.mayStillSend);
    const answer = await gateway.call(creation.operation, body, { stopBeforeWrite });
    const judged = outcomeOf(creation, answer, written.isFirstOfNonce ? 1 : 2);
    // The database will tell whose payout this is, but the next request is about to leave on the same connection.
    if (judged.kind === "accepted" && this.noteAnswered(judged.payoutId)) gateway.renewConnections();
    const moment = momentOf(context.clock);
    const settled = this.writeOutcome({
      submissionId: written.submissionId,
      instruction,
      outcome: judged,
      moment,
    });
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
    };
  }

  /** Remembers the payoutId; true if one of the recent creations was answered with it as well. */
  private noteAnswered(id: PayoutId): boolean {
    const isRepeated = this.lastAnswered.has(id) || this.answeredBefore.has(id);
    this.lastAnswered.add(id);
    if (this.lastAnswered.size >= LAST_ANSWERED) {
      this.answeredBefore = this.lastAnswered;
      this.lastAnswered = new Set();
    }
    return isRepeated;
  }

  private isTooLate({ sendBeforeMs }: Intended): boolean {
    return this.tools.context.clock.monotonicMs() > sendBeforeMs;
  }

  private async storeIntent(intention: Intention): Promise<IntentResult> {
    try {
      const written = await this.writeIntent(intention);
      if (written.kind === "intended") this.known.add(written.submissionId);
      return written;
    } catch (error) {
      this.isAnyUnanswered = true;
      throw error;
    }
  }

  /** Makes an instruction due again whose intent was stored but not sent; it keeps its nonce. */
  private async giveBack({ instruction, written }: Intended, evidence: string): Promise<void> {
    const moment = momentOf(this.tools.context.clock);
    await this.writeOutcome({
      submissionId: written.submissionId,
      instruction,
      outcome: { kind: "not sent", evidence, withheld: true },
      moment,
    });
  }
}
