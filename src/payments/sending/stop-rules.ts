/** When a run stops sending, judged from the outcomes so far. */
import { type Problem, problem } from "../../faults/index.ts";
import type { Outcome } from "../../model/index.ts";
import type { LastOutcome } from "../../store/submissions.ts";

export const IN_A_ROW_MAX = 3;

/** For conflicts and lost answers that alternate, so that neither count reaches its own limit. */
const OPEN_IN_A_ROW_MAX = 2 * IN_A_ROW_MAX;

/** The interface defines no error code for a bad one-time code; these words are in use. */
const ABOUT_CODES = /(?<!")otp|one.?time|2fa|second.?factor/i;
/** The placeholder for the code in a request that the service echoes; it says nothing about the reason. */
const REPEATED_CODE = "(one-time code)";

export class StopRules {
  private stopped: Problem | undefined;
  private outcomes = 0;
  private refusedInARow = 0;
  private conflictsInARow = 0;
  private withoutAnswerInARow = 0;
  /** Creations without a definite outcome, conflicts included. */
  private openInARow = 0;
  /** Earlier creations went unanswered: the next unanswered one stops the run. */
  private onProbation = false;

  /** Why nothing more may be sent in this run; undefined while sending may go on. */
  get reason(): Problem | undefined {
    return this.stopped;
  }

  /** Whether the run stopped because the service does not answer; it may continue once it does. */
  get isServiceOut(): boolean {
    return this.stopped?.code.startsWith("SERVICE_") === true && this.stopped.next === "will-retry";
  }

  /** Stops the run because a look-up went unanswered. */
  cannotLook(why: Problem): void {
    this.stopped ??= why;
  }

  /** Lets sending continue after an outage. */
  serviceIsBack(): void {
    this.stopped = undefined;
    this.withoutAnswerInARow = 0;
    this.onProbation = true;
  }

  /** `last`: outcomes of earlier runs. If the latest IN_A_ROW_MAX were all doubts, one more stops this run. */
  beginAfter(last: readonly (LastOutcome | undefined)[]): void {
    const isFull = last.length === IN_A_ROW_MAX;
    this.onProbation = isFull && last.every((outcome) => outcome?.kind === "in doubt");
    if (this.onProbation && last.every((outcome) => outcome?.httpStatus === 409))
      this.conflictsInARow = IN_A_ROW_MAX - 1;
  }

  /**
   * Takes one outcome into account. `isCodeRepeated`: the creation carried the same one-time code as the one before
   * it.
   */
  learn(outcome: Outcome, reference: string, isCodeRepeated = false): void {
    this.outcomes += 1;
    const status = "httpStatus" in outcome ? outcome.httpStatus : undefined;
    this.refusedInARow = outcome.kind === "refused" ? this.refusedInARow + 1 : 0;
    this.conflictsInARow = status === 409 ? this.conflictsInARow + 1 : 0;
    const isOpen = outcome.kind === "not sent" || outcome.kind === "in doubt";
    this.openInARow = isOpen ? this.openInARow + 1 : 0;
    this.withoutAnswerInARow = isOpen && status !== 409 ? this.withoutAnswerInARow + 1 : 0;
    const isCodeUsedUp = isCodeRepeated && outcome.kind === "refused" && isAboutCodes(outcome.evidence);
    this.stopped ??= isCodeUsedUp
      ? problem("ONE_TIME_CODE_USED_UP", { evidence: outcome.evidence }, { reference })
      : this.judge(outcome, status, reference);
    if (!isOpen) this.onProbation = false;
  }

  private judge(outcome: Outcome, status: number | undefined, reference: string): Problem | undefined {
    if (status === 401 || status === 403)
      return problem("KEY_REFUSED", { evidence: outcome.evidence }, { reference });
    if (outcome.kind === "refused" && this.outcomes === 1)
      return problem("FIRST_CREATION_REFUSED", {}, { reference });
    if (this.refusedInARow >= IN_A_ROW_MAX) {
      return problem("REFUSED_IN_A_ROW", { count: IN_A_ROW_MAX, evidence: outcome.evidence }, { reference });
    }
    if (this.conflictsInARow >= IN_A_ROW_MAX)
      return problem("CONFLICTS_IN_A_ROW", { count: IN_A_ROW_MAX }, { reference });
    if (outcome.kind === "not sent" && outcome.unsigned !== undefined)
      return problem(outcome.unsigned, { reason: outcome.evidence }, { reference });
    // Look-ups are answered but creations are not: each further attempt may be one more doubt.
    const isUnanswered = this.onProbation && status !== 409;
    if (outcome.kind === "in doubt" && (isUnanswered || this.openInARow >= OPEN_IN_A_ROW_MAX))
      return problem("CREATIONS_UNANSWERED", { evidence: outcome.evidence }, { reference });
    if (outcome.kind === "not sent" || this.withoutAnswerInARow >= IN_A_ROW_MAX) {
      return problem("SERVICE_OUT", { evidence: outcome.evidence }, { reference });
    }
    return undefined;
  }
}

function isAboutCodes(evidence: string): boolean {
  return ABOUT_CODES.test(evidence.replaceAll(REPEATED_CODE, ""));
}
