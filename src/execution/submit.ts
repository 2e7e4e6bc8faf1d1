/** Submissions, from intent to outcome. Nothing that may have left is ever sent again here. */
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

/** An intent that is on the disk, and everything that its request needs. */
export interface Intended extends Intention {
  readonly kind: "intended";
  readonly written: Extract<IntentResult, { readonly kind: "intended" }>;
  readonly otpCode: string;
  readonly sendBeforeMs: number;
}

type NotIntended =
  | { readonly kind: "postponed"; readonly problem: Problem }
  /** The run ended before anything was sent, and an intent that was written already has been given back. */
  | { readonly kind: "not started" };

export type IntendResult = Intended | NotIntended;

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
      /** The creation before it carried the same one-time code. */
      readonly isCodeRepeated: boolean;
    }
  | NotIntended;

/** Many times as many as there are connections. */
const LAST_ANSWERED_MAX = 1000;

/** Instructions that are submitted at the same time share a transaction for their intents, and one for their outcomes. */
export class Submitter {
  private readonly tools: ExecutionTools;
  private readonly mayStillSend: () => boolean;
  private readonly signal: AbortSignal | undefined;
  private readonly writeIntent: (intention: Intention) => Promise<IntentResult>;
  private readonly writeOutcome: (answered: Answered) => Promise<Outcome>;
  /** The intents under way that may be handed over. */
  private readonly known = new Set<number>();
  private readonly lastAnswered = new Set<PayoutId>();
  private isAnyUnanswered = false;
  private lastCode = "";

  /** `mayStillSend` is asked right before the first byte of each request; `signal` ends only the wait for a one-time code. */
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

  /** Writes down that one approved instruction is about to be sent. Throws OTP_FAILED before anything is written. */
  async intend(instruction: Instruction): Promise<IntendResult> {
    const { context, policy } = this.tools;
    const creation = policy.creationOf(instruction.fields.custodyAccountId);
    if (creation === undefined) return { kind: "postponed", problem: custodyAccountGone(instruction) };
    // The code is made first: waiting for it must not happen between the intent and the send.
    const otpCode = await codeFor(this.tools, creation, this.signal);
    if (otpCode === undefined || !this.mayStillSend()) return { kind: "not started" };
    const intention = { instruction, creation, fields: businessFields(instruction, creation) };
    const written = await this.written(intention);
    if (written.kind === "postponed") return written;
    const sendBeforeMs = context.clock.monotonicMs() + SEND_WITHIN_MS;
    return { kind: "intended", ...intention, written, otpCode, sendBeforeMs };
  }

  /** Sends what was intended, once, and returns what came of it. */
  async send(intended: Intended): Promise<SubmitResult> {
    if (this.isTooLate(intended)) {
      await this.giveBack(intended, TOO_LATE);
      const anew = await this.intend(intended.instruction);
      return anew.kind === "intended" ? this.submit(anew) : anew;
    }
    // It may have waited for its turn until its code was no longer valid.
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
   * A database that was lost before it answered may have stored intents of this lane all the same. None of them was handed over, so that
   * they are due again under the same nonces. Rejects where it cannot be asked; then the next run takes them for doubts.
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
    // Whose payout it is the database tells, but the next request is about to leave.
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

  /** Returns whether one of the last creations was answered with it as well. */
  private noteAnswered(id: PayoutId): boolean {
    const isRepeated = this.lastAnswered.has(id);
    this.lastAnswered.add(id);
    const [oldest] = this.lastAnswered;
    if (this.lastAnswered.size > LAST_ANSWERED_MAX && oldest !== undefined) this.lastAnswered.delete(oldest);
    return isRepeated;
  }

  private isTooLate({ sendBeforeMs }: Intended): boolean {
    return this.tools.context.clock.monotonicMs() > sendBeforeMs;
  }

  private async written(intention: Intention): Promise<IntentResult> {
    try {
      const written = await this.writeIntent(intention);
      if (written.kind === "intended") this.known.add(written.submissionId);
      return written;
    } catch (error) {
      this.isAnyUnanswered = true;
      throw error;
    }
  }

  /** What has an intent and does not leave is due again, under the same nonce. */
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
