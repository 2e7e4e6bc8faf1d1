/**
 * One run of the lane: settle what an earlier run left behind, then send what is approved and due, window by window.
 * The caller holds the lane's lock. Looking comes before sending: what the service already has is held, not sent.
 */
import pLimit from "p-limit";
import { Fault, type Problem, problem } from "../faults/index.ts";
import type { BatchId, Instruction, Outcome } from "../model/index.ts";
import { lookByReferences } from "../observation/index.ts";
import { countDue, type InstructionKey, listDue } from "../store/instructions.ts";
import { listInDoubt } from "../store/submissions.ts";
import { passOverUsedCode } from "./creation-code.ts";
import { doubtWhatWasUnderWay, type Resolution, resolveDoubts } from "./doubt.ts";
import { Manners } from "./manners.ts";
import { isBack } from "./outage.ts";
import { hold } from "./settle.ts";
import { StopRules } from "./stop-rules.ts";
import { type SubmitResult, submit } from "./submit.ts";
import type { ExecutionTools } from "./tools.ts";
import { lookForAccepted } from "./visibility.ts";

/** Instructions that are looked up and sent together; bounds memory whatever the queue's length. */
const WINDOW_SIZE = 100;

/** Looks before sending are repeated when pages moved under them, so often at most. */
const LOOKS_MAX = 3;

export interface ExecutionOptions {
  /** When it aborts, nothing more is sent; what is on its way is awaited. */
  readonly signal?: AbortSignal;
  /** Sends only what is due of this batch; doubts of all batches are looked for all the same. */
  readonly batch?: BatchId;
  /** `atLeastMs`: how long the one-time codes alone will make it last. */
  readonly onStart?: (due: number, atLeastMs: number) => void;
  readonly onSubmitted?: (instruction: Instruction, outcome: Outcome) => void;
}

export interface ExecutionReport {
  /** How many instructions were due when the run began. */
  readonly due: number;
  readonly accepted: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly notSent: number;
  readonly held: number;
  readonly postponed: number;
  /** What became of doubts, of this run's and of earlier ones. */
  readonly resolutions: readonly Resolution[];
  /** Why the run ended before everything due was sent. */
  readonly stopped?: Problem;
  readonly problems: readonly Problem[];
}

/**
 * Sends everything that is due. Throws a SERVICE_ fault when the service cannot be asked before the first send; later the
 * same fault ends the run and is reported, because by then there is something to report. Throws any other fault after what
 * is on its way was awaited.
 */
export async function execute(
  tools: ExecutionTools,
  options: ExecutionOptions = {},
): Promise<ExecutionReport> {
  await doubtWhatWasUnderWay(tools);
  await passOverUsedCode(tools);
  const run = new Run(tools, options);
  const earlier = await run.resolveDoubts();
  await run.sendAll();
  const later = run.sawDoubt ? await run.unlessServiceIsOut(() => run.resolveDoubts()) : undefined;
  await run.unlessServiceIsOut(() => run.lookForAccepted());
  const settledBefore = earlier.filter(({ now }) => now !== "in doubt" || later === undefined);
  return run.report([...settledBefore, ...(later ?? [])]);
}

class Run {
  private readonly tools: ExecutionTools;
  private readonly options: ExecutionOptions;
  private readonly stopRules = new StopRules();
  private readonly manners: Manners;
  private readonly counts = { accepted: 0, refused: 0, "in doubt": 0, "not sent": 0, held: 0, postponed: 0 };
  private readonly problems: Problem[] = [];
  private stopped: Problem | undefined;
  private thrown: { readonly error: unknown } | undefined;
  private due = 0;
  private isFirst = true;

  constructor(tools: ExecutionTools, options: ExecutionOptions) {
    this.tools = tools;
    this.options = options;
    const { nonceRule, concurrency } = tools.policy;
    this.manners = new Manners(tools.context.clock, nonceRule === "unique" ? concurrency : 1);
  }

  get sawDoubt(): boolean {
    return this.counts["in doubt"] > 0;
  }

  async sendAll(): Promise<void> {
    const { store, context, policy, codes } = this.tools;
    const filter = { today: policy.dayOf(context.clock.now()), batch: this.options.batch };
    this.due = await store.read(() => countDue(filter));
    this.options.onStart?.(this.due, Math.max(0, this.due - 1) * codes.spacingMs);
    let after: InstructionKey | undefined;
    while (await this.mayGoOn()) {
      const window = await store.read(() => listDue(filter, after, WINDOW_SIZE));
      const last = window.at(-1);
      if (last === undefined) return;
      await this.sendWindow(window);
      // What of this window did not go out is due still, and is read again.
      if (!(await this.wasOutage())) after = last;
    }
  }

  /** The service went out and came back: sending goes on, with one at a time at first. */
  private async wasOutage(): Promise<boolean> {
    if (!this.stopRules.isServiceOut || this.stopped !== undefined) return false;
    if (!(await isBack(this.tools, this.options.signal))) return false;
    this.stopRules.serviceIsBack();
    this.manners.beginAnew();
    return true;
  }

  resolveDoubts(): Promise<Resolution[]> {
    return resolveDoubts(this.tools, () => this.maySend());
  }

  async lookForAccepted(): Promise<void> {
    this.problems.push(...(await lookForAccepted(this.tools)));
  }

  /** What `ask` returns; undefined when the service cannot be asked any more, which then is why the run stopped. */
  async unlessServiceIsOut<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await ask();
    } catch (error) {
      const hasSent = !this.isFirst;
      if (!hasSent || !(error instanceof Fault) || !error.problem.code.startsWith("SERVICE_")) throw error;
      this.stopped ??= error.problem;
      return undefined;
    }
  }

  report(resolutions: readonly Resolution[]): ExecutionReport {
    const stopped = this.stopRules.reason ?? this.stopped;
    return {
      due: this.due,
      accepted: this.counts.accepted,
      refused: this.counts.refused,
      inDoubt: this.counts["in doubt"],
      notSent: this.counts["not sent"],
      held: this.counts.held,
      postponed: this.counts.postponed,
      resolutions,
      ...(stopped === undefined ? {} : { stopped }),
      problems: this.problems,
    };
  }

  private async sendWindow(window: readonly Instruction[]): Promise<void> {
    const unknownToService = (await this.unlessServiceIsOut(() => this.lookBefore(window))) ?? [];
    const limit = pLimit(this.manners.concurrency);
    const queue = unknownToService.slice();
    // The first creation of a run goes alone: if the key, the code or the account is wrong, one refusal says so.
    while (this.isFirst && queue.length > 0) await limit.map(queue.splice(0, 1), (one) => this.send(one));
    await limit.map(queue, async (instruction) => {
      await this.send(instruction);
      limit.concurrency = this.manners.concurrency;
    });
    if (this.thrown !== undefined) throw this.thrown.error;
  }

  /** Holds what the service already has under one of our references, and returns the rest. */
  private async lookBefore(window: readonly Instruction[]): Promise<readonly Instruction[]> {
    const references = window.map(({ fields }) => fields.reference);
    let look = await lookByReferences(this.tools, references);
    for (let looks = 1; !look.complete && looks < LOOKS_MAX; looks += 1)
      look = await lookByReferences(this.tools, references);
    if (!look.complete) {
      const operation = "findPayoutFilteredV2";
      this.stopped = problem(
        "PAGING_UNSTABLE",
        { operation, reason: "the look before sending was incomplete" },
        { operation },
      );
      return [];
    }
    const unknown: Instruction[] = [];
    for (const instruction of window) {
      const [found] = look.byReference.get(instruction.fields.reference) ?? [];
      if (found === undefined) unknown.push(instruction);
      else await this.holdFound(instruction, found.payoutId);
    }
    return unknown;
  }

  private async holdFound({ id, fields: { reference } }: Instruction, payoutId: string): Promise<void> {
    const reason = `the service already had payout ${payoutId} under this reference before anything was sent`;
    await this.tools.store.write(() => hold(id, reference, reason, this.tools.context.clock.now()));
    this.counts.held += 1;
    this.problems.push(problem("PAYOUT_HELD", { reason }, { reference }));
  }

  /** Never rejects: a fault is kept until everything that is on its way has ended, because the lane is released after it. */
  private async send(instruction: Instruction): Promise<void> {
    try {
      await this.heldBack();
      if (!this.maySend()) return;
      this.take(
        instruction,
        await submit(this.tools, instruction, () => this.maySend(), this.options.signal),
      );
    } catch (error) {
      this.thrown ??= { error };
    }
  }

  private async heldBack(): Promise<void> {
    const { signal } = this.options;
    try {
      await this.manners.holdBack(signal);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  private take(instruction: Instruction, result: SubmitResult): void {
    if (result.kind === "not started") return;
    if (result.kind === "postponed") {
      this.counts.postponed += 1;
      this.problems.push(result.problem);
      return;
    }
    this.isFirst = false;
    const { outcome } = result;
    const { reference } = instruction.fields;
    this.counts[outcome.kind] += 1;
    this.manners.learn(outcome, result.retryAfterMs);
    // What we did not send because the run was over says nothing about the service.
    if (outcome.kind !== "not sent" || this.maySend()) this.stopRules.learn(outcome, reference);
    if (outcome.kind === "refused") {
      this.problems.push(
        problem("PAYOUT_REFUSED", { status: outcome.httpStatus, text: outcome.evidence }, { reference }),
      );
    }
    if (outcome.kind === "in doubt" && this.tools.policy.nonceRule === "increasing") {
      this.stopped ??= problem("LANE_PAUSED", {}, { reference });
    }
    this.options.onSubmitted?.(instruction, outcome);
  }

  private maySend(): boolean {
    return (
      this.thrown === undefined &&
      this.stopped === undefined &&
      this.stopRules.reason === undefined &&
      this.options.signal?.aborted !== true
    );
  }

  private async mayGoOn(): Promise<boolean> {
    if (this.tools.policy.nonceRule === "increasing") {
      const doubts = await this.tools.store.read(() => listInDoubt());
      if (doubts.length > 0) this.stopped ??= problem("LANE_PAUSED", {});
    }
    return this.maySend();
  }
}
