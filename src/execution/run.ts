/**
 * The sending part of one run: each window of due payments is looked up while the one before is being sent. While
 * anything is in flight nothing here rejects, because the lane may be released only when all of it has ended.
 */
import pLimit, { type LimitFunction } from "p-limit";
import { Fault, type Problem, problem, serviceProblem } from "../faults/index.ts";
import type { Instruction, Outcome } from "../model/index.ts";
import { present } from "../model/present.ts";
import { countDue, type DueFilter, type InstructionKey, listDue } from "../store/instructions.ts";
import { lastOutcomes, listInDoubt } from "../store/submissions.ts";
import { AdaptiveConcurrency, hasRoom, sendsAtOnce } from "./adaptive-concurrency.ts";
import { OUTCOMES_WEIGHED, whyNotYet } from "./between-runs.ts";
import { type Resolution, resolveDoubts } from "./doubts/doubt.ts";
import { lookForAccepted, lookForSome } from "./doubts/visibility.ts";
import { type LookBefore, lookBefore, lookedUpTogether } from "./look-before.ts";
import { Outage } from "./outage.ts";
import { lookAfterRefusal } from "./refused-looks.ts";
import type { ExecutionOptions, ExecutionReport } from "./report.ts";
import { IN_A_ROW_MAX, StopRules } from "./stop-rules.ts";
import { type IntendResult, type SubmitResult, Submitter } from "./submit.ts";
import { Tally } from "./tally.ts";
import type { ExecutionTools } from "./tools.ts";

export class Run {
  private readonly tools: ExecutionTools;
  private readonly options: ExecutionOptions;
  private readonly stopRules = new StopRules();
  private readonly concurrency: AdaptiveConcurrency;
  private readonly tally = new Tally();
  private readonly postponed = new Set<string>();
  private readonly problems: Problem[] = [];
  /** Outcomes being stored. */
  private readonly settling = new Set<Promise<void>>();
  private readonly submitter: Submitter;
  private readonly outage: Outage;
  private readonly filter: DueFilter;
  private readonly windowSize: number;
  private stopped: Problem | undefined;
  private thrown: { readonly error: unknown } | undefined;
  private due = 0;
  private after: InstructionKey | undefined;
  private lookedForUntil = 0;
  private isFirst = true;

  constructor(tools: ExecutionTools, options: ExecutionOptions) {
    const concurrencyMax = sendsAtOnce(tools.policy);
    this.tools = tools;
    this.options = options;
    this.outage = new Outage(tools);
    this.submitter = new Submitter(tools, () => this.maySend(), options.signal);
    this.concurrency = new AdaptiveConcurrency(tools.context.clock, concurrencyMax);
    this.filter = {
      today: tools.policy.dayOf(tools.context.clock.now()),
      batch: options.batch,
      except: tools.policy.elsewhere.custodyAccounts,
    };
    this.windowSize = lookedUpTogether(concurrencyMax);
  }

  get sawDoubt(): boolean {
    return this.tally.sawDoubt;
  }

  async sendAll(): Promise<void> {
    const { store, codes, policy, context } = this.tools;
    this.due = await store.read(() => countDue(this.filter));
    const last = await store.read(() => lastOutcomes(policy.keyId, OUTCOMES_WEIGHED));
    this.stopRules.beginAfter(last.slice(0, IN_A_ROW_MAX));
    if (this.options.isScheduled === true && this.due > 0)
      this.stopped ??= whyNotYet(last, context.clock.now());
    this.options.onStart?.(this.due, Math.max(0, this.due - 1) * codes.spacingMs);
    do await this.sendUntilStopped();
    while (await this.wasOutage());
    if (this.thrown === undefined) return;
    // If the database still fails, the next run treats them as doubts.
    await Promise.allSettled([this.submitter.giveBackUnanswered()]);
    const { error } = this.thrown;
    // What was sent before a code could not be had is reported.
    if (this.isFirst || !(error instanceof Fault) || error.problem.code !== "OTP_FAILED") throw error;
    this.stopped ??= error.problem;
  }

  resolveDoubts(): Promise<Resolution[]> {
    const { signal, looksOnly } = this.options;
    return resolveDoubts(this.tools, { mayStillSend: () => looksOnly !== true && this.maySend(), signal });
  }

  /** One more look for accepted payouts that no look of this run has shown. */
  async lookForAccepted(): Promise<void> {
    this.problems.push(...(await lookForAccepted(this.tools)));
  }

  /** Looks for what was accepted since the last window, alongside the look-up of the next one. */
  private async lookForRecent(): Promise<void> {
    const looked = await lookForSome(this.tools, this.lookedForUntil);
    if (looked === undefined) return;
    this.problems.push(...looked.problems);
    this.lookedForUntil = looked.after;
  }

  /** Returns what `ask` does; undefined if the service can no longer be asked, which then is why the run stopped. */
  async unlessServiceIsOut<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      const why = serviceProblem(error);
      if (this.isFirst || why === undefined) throw error;
      this.stopRules.cannotLook(why);
      return undefined;
    }
  }

  report(resolutions: readonly Resolution[]): ExecutionReport {
    const stopped = this.stopRules.reason ?? this.stopped;
    return {
      due: this.due,
      ...this.tally.countsAfter(resolutions),
      postponed: this.postponed.size,
      resolutions,
      ...present({ stopped }),
      problems: this.problems,
    };
  }

  private async sendUntilStopped(): Promise<void> {
    // The first creation of a run goes alone: if the key, the code or the account is wrong, one refusal says so.
    const limit = pLimit(this.isFirst ? 1 : this.concurrency.current);
    const underWay = new Map<Promise<void>, number>();
    let ended = Promise.withResolvers<void>();
    let started = 0;
    let looking = this.nextWindow();
    for (;;) {
      const window = await looking;
      if (window === undefined) break;
      looking = this.nextWindow();
      for (const instruction of window) {
        while (!this.mayStart(limit, underWay, started)) {
          // Promise.race over everything in flight would cost as much as sending does.
          ended = Promise.withResolvers();
          await ended.promise;
        }
        const intending = this.intendsAhead ? this.intend(instruction) : undefined;
        const sending = limit(() => this.send(instruction, intending)).then(() => {
          underWay.delete(sending);
          limit.concurrency = this.isFirst ? 1 : this.concurrency.current;
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
    return this.tools.policy.nonceRule === "unique" && this.tools.codes.isAtHand && !this.isFirst;
  }

  /** The next due payments that the service does not have; undefined if none, or none may be sent. Never rejects. */
  private async nextWindow(): Promise<readonly Instruction[] | undefined> {
    try {
      if (!(await this.mayGoOn())) return undefined;
      const window = await this.tools.store.read(() => listDue(this.filter, this.after, this.windowSize));
      this.after = window.at(-1) ?? this.after;
      if (window.length === 0) return undefined;
      const look = await this.unlessServiceIsOut(() => this.lookAround(window));
      if (look === undefined) return undefined;
      this.stopped ??= look.unstable;
      this.tally.hold(look.held.length);
      this.problems.push(...look.held);
      for (const { instruction, problem: why } of look.postponed) this.postpone(instruction, why);
      return look.unknown;
    } catch (error) {
      this.thrown ??= { error };
      return undefined;
    }
  }

  /** Makes both looks at once and awaits both even if one fails, so that none outlives the run. */
  private async lookAround(window: readonly Instruction[]): Promise<LookBefore> {
    const [before, recent] = await Promise.allSettled([lookBefore(this.tools, window), this.lookForRecent()]);
    if (before.status === "rejected") throw before.reason;
    if (recent.status === "rejected") throw recent.reason;
    return before.value;
  }

  /** Whether an outage stopped the run and is over: what is still due is sent one at a time at first. */
  private async wasOutage(): Promise<boolean> {
    if (!this.stopRules.isServiceOut || this.stopped !== undefined || this.thrown !== undefined) return false;
    if (!(await this.outage.waitUntilBack(this.options.signal))) return false;
    this.stopRules.serviceIsBack();
    this.concurrency.restart();
    this.after = undefined;
    return true;
  }

  /** Never rejects: an error is kept until everything in flight has ended. */
  private async send(instruction: Instruction, intending: Promise<IntendResult> | undefined): Promise<void> {
    try {
      await this.concurrency.holdBack(this.options.signal);
      const intended = await (intending ?? this.intend(instruction));
      this.take(instruction, intended.kind === "intended" ? await this.submitter.send(intended) : intended);
    } catch (error) {
      this.thrown ??= { error };
    }
  }

  /** Never rejects. */
  private async intend(instruction: Instruction): Promise<IntendResult> {
    try {
      if (this.maySend()) return await this.submitter.intend(instruction);
    } catch (error) {
      this.thrown ??= { error };
    }
    return { kind: "not started" };
  }

  private take(instruction: Instruction, result: SubmitResult): void {
    if (result.kind === "not started") return;
    if (result.kind === "postponed") {
      if (result.problem.code === "SENDING_STOPPED") this.stopped ??= result.problem;
      else this.postpone(instruction, result.problem);
      return;
    }
    this.isFirst = false;
    const { judged, settled, retryAfterMs, isCodeRepeated } = result;
    const { reference } = instruction.fields;
    this.concurrency.learn(judged, retryAfterMs);
    if (judged.kind === "accepted" || judged.kind === "refused") this.outage.end();
    // A request that we withheld, by order or because the run was over, says nothing about the service.
    if (judged.kind === "not sent") this.obeyStopOrder();
    if (judged.kind !== "not sent" || this.maySend()) this.stopRules.learn(judged, reference, isCodeRepeated);
    this.pauseWhereDoubted(judged, reference);
    const counting = this.count(instruction, settled).finally(() => this.settling.delete(counting));
    this.settling.add(counting);
  }

  private postpone({ id }: Instruction, why: Problem): void {
    if (!this.postponed.has(id)) this.problems.push(why);
    this.postponed.add(id);
  }

  /** Never rejects. */
  private async count(instruction: Instruction, settled: Promise<Outcome>): Promise<void> {
    try {
      const outcome = await settled;
      const { reference } = instruction.fields;
      // Only the written outcome tells whether the payoutId belongs to another payment.
      this.pauseWhereDoubted(outcome, reference);
      const refusal =
        outcome.kind === "refused" ? await lookAfterRefusal(this.tools, instruction, outcome) : undefined;
      if (refusal !== undefined) this.problems.push(refusal);
      this.tally.take(instruction.id, refusal?.code === "PAYOUT_HELD" ? "held" : outcome.kind);
      this.options.onSubmitted?.(instruction, outcome);
    } catch (error) {
      this.thrown ??= { error };
    }
  }

  private pauseWhereDoubted({ kind }: Outcome, reference: string): void {
    if (kind === "in doubt" && this.tools.policy.nonceRule === "increasing")
      this.stopped ??= problem("LANE_PAUSED", {}, { reference });
  }

  private maySend(): boolean {
    const reason = this.tools.policy.whyLaneClosed();
    if (reason !== undefined) this.stopped ??= problem("LANE_LOST", { reason });
    const isOver = (this.thrown ?? this.stopped ?? this.stopRules.reason) !== undefined;
    return !isOver && this.options.signal?.aborted !== true;
  }

  private obeyStopOrder(): void {
    const reason = this.tools.policy.stopOrder();
    if (reason !== undefined && this.due > 0) this.stopped ??= problem("SENDING_STOPPED", { reason });
  }

  private async mayGoOn(): Promise<boolean> {
    this.obeyStopOrder();
    if (this.tools.policy.nonceRule === "increasing") {
      const doubts = await this.tools.store.read(() => listInDoubt());
      if (doubts.some(({ keyId }) => keyId === this.tools.policy.keyId))
        this.stopped ??= problem("LANE_PAUSED", {});
    }
    return this.maySend();
  }
}
