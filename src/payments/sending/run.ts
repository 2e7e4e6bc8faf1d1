/**
 * The sending part of one run. It looks up each window of due payments while it sends the one before. Nothing here
 * rejects while a request is in flight, because the lane may be released only when all of them have ended.
 */
import pLimit, { type LimitFunction } from "p-limit";
import { Fault, type Problem, problem } from "../../faults/index.ts";
import type { Instruction, Outcome } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { lastOutcomes } from "../../store/submissions.ts";
import { AdaptiveConcurrency, hasRoom, sendsAtOnce } from "./adaptive-concurrency.ts";
import { OUTCOMES_WEIGHED } from "./between-runs.ts";
import { type Resolution, resolveDoubts } from "./doubts/doubt.ts";
import { lookForAccepted } from "./doubts/visibility.ts";
import { dueWindows } from "./due-windows.ts";
import { Outage } from "./outage.ts";
import { lookAfterRefusal } from "./refused-looks.ts";
import type { ExecutionOptions, ExecutionReport, Pause } from "./report.ts";
import { RunEnd } from "./run-end.ts";
import { type IntendResult, type SubmitResult, submitter } from "./submit.ts";
import { Tally } from "./tally.ts";
import type { ExecutionTools } from "./tools.ts";

/** Problems that concern every payment, not only the one that met them. */
const ENDS_THE_RUN: ReadonlySet<Problem["code"]> = new Set(["SENDING_STOPPED", "SENDING_RESTS"]);

export class Run {
  private readonly tools: ExecutionTools;
  private readonly options: ExecutionOptions;
  private readonly end: RunEnd;
  private readonly tally = new Tally();
  private readonly windows: ReturnType<typeof dueWindows>;
  private readonly concurrency: AdaptiveConcurrency;
  private readonly submitter: ReturnType<typeof submitter>;
  private readonly outage: Outage;
  /** Outcomes being stored. */
  private readonly settling = new Set<Promise<void>>();

  constructor(tools: ExecutionTools, options: ExecutionOptions) {
    this.tools = tools;
    this.options = options;
    this.end = new RunEnd(tools, options.signal);
    this.windows = dueWindows(tools, options, this.end, this.tally);
    const onPause = (pause: Pause) => options.onPause?.(pause);
    this.concurrency = new AdaptiveConcurrency(tools.context.clock, sendsAtOnce(tools.policy), onPause);
    this.submitter = submitter(tools, () => this.end.maySend(), options.signal);
    this.outage = new Outage(tools, onPause);
  }

  async sendAll(): Promise<void> {
    const { store, codes, policy } = this.tools;
    await this.windows.countAll();
    const due = this.windows.count;
    if (due > 0) this.end.obeyCalendar("begin");
    const last = await store.read(() => lastOutcomes(policy.keyId, OUTCOMES_WEIGHED));
    this.end.beginAfter(last, this.options.isScheduled === true && due > 0);
    this.options.onStart?.(due, Math.max(0, due - 1) * codes.spacingMs);
    do await this.sendUntilStopped();
    while (await this.outageHasEnded());
    const { failure } = this.end;
    if (failure === undefined) return;
    // If the database still fails, the next run treats them as doubts.
    await Promise.allSettled([this.submitter.giveBackUnconfirmed()]);
    const { error } = failure;
    // If no one-time code can be obtained, the run still reports what it sent before.
    const isReported = this.end.hasSent && error instanceof Fault && error.problem.code === "OTP_FAILED";
    if (!isReported) throw error;
    this.end.stop(error.problem);
  }

  /** Looks up the doubts of this lane. While the run may still send, it may re-send those that no look shows. */
  resolveDoubts(): Promise<Resolution[]> {
    const { signal, looksOnly } = this.options;
    const mayStillSend = () => looksOnly !== true && this.end.maySend();
    return resolveDoubts(this.tools, { mayStillSend, signal });
  }

  /** The looks at the end of the run; undefined if the service can no longer be asked. */
  async lookAgain(): Promise<readonly Resolution[] | undefined> {
    const resolutions = this.tally.sawDoubt
      ? await this.end.unlessServiceIsOut(() => this.resolveDoubts())
      : undefined;
    await this.end.unlessServiceIsOut(async () => this.tally.note(await lookForAccepted(this.tools)));
    return resolutions;
  }

  report(resolutions: readonly Resolution[]): ExecutionReport {
    return {
      due: this.windows.count,
      ...this.tally.countsAfter(resolutions),
      postponed: this.tally.postponedCount,
      resolutions,
      ...present({ stopped: this.end.reason }),
      problems: this.tally.problems,
    };
  }

  private async sendUntilStopped(): Promise<void> {
    // The first creation of a run goes alone: if the key, the code or the account is wrong, one refusal says so.
    const limit = pLimit(this.end.hasSent ? this.concurrency.current : 1);
    const underWay = new Map<Promise<void>, number>();
    let ended = Promise.withResolvers<void>();
    let started = 0;
    let looking = this.windows.next();
    for (;;) {
      const window = await looking;
      if (window === undefined) break;
      looking = this.windows.next();
      for (const instruction of window) {
        while (!this.mayStart(limit, underWay, started)) {
          // Promise.race over everything in flight would cost as much as sending does.
          ended = Promise.withResolvers();
          await ended.promise;
        }
        const intending = this.intendsAhead ? this.intend(instruction) : undefined;
        const sending = limit(() => this.send(instruction, intending)).then(() => {
          underWay.delete(sending);
          limit.concurrency = this.end.hasSent ? this.concurrency.current : 1;
          ended.resolve();
        });
        underWay.set(sending, started);
        started += 1;
      }
    }
    await Promise.all(underWay.keys());
    await Promise.all(this.settling);
  }

  /** Whether another creation may start. `underWay`: each creation in flight with its start number, in order. */
  private mayStart(
    limit: LimitFunction,
    underWay: ReadonlyMap<Promise<void>, number>,
    started: number,
  ): boolean {
    const oldest = underWay.values().next().value ?? started;
    const progress = { underWay: underWay.size, aheadOfOldest: started - oldest };
    return hasRoom(progress, limit.concurrency, this.intendsAhead, this.tools.policy.nonceWindow);
  }

  /** Whether intents are written ahead of their turn, so that no connection waits for a flush. */
  private get intendsAhead(): boolean {
    return this.tools.policy.nonceRule === "unique" && this.tools.codes.isAtHand && this.end.hasSent;
  }

  /** Whether an outage stopped the run and has ended. The remaining payments then start one at a time. */
  private async outageHasEnded(): Promise<boolean> {
    if (!this.end.isByOutage) return false;
    if (!(await this.outage.waitUntilBack(this.options.signal))) return false;
    this.end.rules.serviceIsBack();
    this.concurrency.restart();
    this.windows.restart();
    return true;
  }

  /** Never rejects: an error is kept until everything in flight has ended. */
  private async send(instruction: Instruction, intending: Promise<IntendResult> | undefined): Promise<void> {
    try {
      await this.concurrency.holdBack(this.options.signal);
      const intended = await (intending ?? this.intend(instruction));
      this.take(instruction, intended.kind === "intended" ? await this.submitter.send(intended) : intended);
    } catch (error) {
      this.end.fail(error);
    }
  }

  /** Never rejects. */
  private async intend(instruction: Instruction): Promise<IntendResult> {
    try {
      if (this.end.maySend()) return await this.submitter.intend(instruction);
    } catch (error) {
      this.end.fail(error);
    }
    return { kind: "not started" };
  }

  private take(instruction: Instruction, result: SubmitResult): void {
    if (result.kind === "not started") return;
    if (result.kind === "postponed") {
      if (ENDS_THE_RUN.has(result.problem.code)) this.end.stop(result.problem);
      else this.tally.postpone(instruction, result.problem);
      return;
    }
    this.end.noteSent();
    const { judged, settled, retryAfterMs, isCodeRepeated, isLate } = result;
    const { reference } = instruction.fields;
    if (!isLate) this.concurrency.learn(judged, retryAfterMs);
    if (judged.kind === "accepted" || judged.kind === "refused") this.outage.end();
    if (judged.kind === "not sent") this.end.obeyStopOrder();
    // A request that this process withheld says nothing about the service.
    const isWithheld = judged.kind === "not sent" && (isLate || !this.end.maySend());
    if (!isWithheld) this.end.rules.learn(judged, reference, isCodeRepeated);
    this.pauseIfInDoubt(judged, reference);
    const counting = this.countOnceSettled(instruction, settled).finally(() =>
      this.settling.delete(counting),
    );
    this.settling.add(counting);
  }

  /** Never rejects. */
  private async countOnceSettled(instruction: Instruction, settled: Promise<Outcome>): Promise<void> {
    try {
      const outcome = await settled;
      const { reference } = instruction.fields;
      // Only the stored outcome shows whether the payoutId belongs to another payment.
      this.pauseIfInDoubt(outcome, reference);
      const refusal =
        outcome.kind === "refused" ? await lookAfterRefusal(this.tools, instruction, outcome) : undefined;
      if (refusal !== undefined) this.tally.note([refusal]);
      this.tally.take(instruction.id, refusal?.code === "PAYOUT_HELD" ? "held" : outcome.kind);
      this.options.onSubmitted?.(instruction, outcome);
    } catch (error) {
      this.end.fail(error);
    }
  }

  private pauseIfInDoubt({ kind }: Outcome, reference: string): void {
    if (kind === "in doubt" && this.tools.policy.nonceRule === "increasing")
      this.end.stop(problem("LANE_PAUSED", {}, { reference }));
  }
}
