/** Whether one run may still send, and why it ended: by its outcomes, an order to stop, a lost lane or an error. */
import { Fault, isOfService, isProblem, orProblem, type Problem, problem } from "../../faults/index.ts";
import type { LastOutcome } from "../../store/submissions.ts";
import { whyPaused } from "./between-runs.ts";
import { IN_A_ROW_MAX, StopRules } from "./stop-rules.ts";
import type { ExecutionTools } from "./tools.ts";

export class RunEnd {
  readonly rules = new StopRules();
  private readonly tools: ExecutionTools;
  private readonly signal: AbortSignal | undefined;
  private stopped: Problem | undefined;
  private failed: { readonly error: unknown } | undefined;
  private sent = false;

  constructor(tools: ExecutionTools, signal: AbortSignal | undefined) {
    this.tools = tools;
    this.signal = signal;
  }

  /** `last`: the latest outcomes of earlier runs, newest first; too many doubts pause a scheduled run. */
  beginAfter(last: readonly (LastOutcome | undefined)[], isScheduled: boolean): void {
    this.rules.beginAfter(last.slice(0, IN_A_ROW_MAX));
    const why = isScheduled ? whyPaused(last, this.tools.context.clock.now()) : undefined;
    if (why !== undefined) this.stop(why);
  }

  /** Whether a creation of this run has ended. */
  get hasSent(): boolean {
    return this.sent;
  }

  noteSent(): void {
    this.sent = true;
  }

  /** Why nothing more is sent, for the report; undefined if nothing stopped the run. */
  get reason(): Problem | undefined {
    return this.rules.reason ?? this.stopped;
  }

  /** The first error; it is thrown once everything in flight has ended. */
  get failure(): { readonly error: unknown } | undefined {
    return this.failed;
  }

  /** Whether only the service's silence stopped the run. */
  get isByOutage(): boolean {
    return this.rules.isServiceOut && this.stopped === undefined && this.failed === undefined;
  }

  stop(why: Problem): void {
    this.stopped ??= why;
  }

  /** A signal's interruption is not a failure: the run sends nothing more, and reports what it sent. */
  fail(error: unknown): void {
    const isInterrupted = error instanceof Fault && error.problem.code === "INTERRUPTED";
    if (isInterrupted && this.signal?.aborted === true) return;
    this.failed ??= { error };
  }

  /** Asked before each step, and by the transport right before each first byte. */
  maySend(): boolean {
    const reason = this.tools.policy.whyLaneClosed();
    if (reason !== undefined) this.stop(problem("LANE_LOST", { reason }));
    const isOver = (this.failed ?? this.reason) !== undefined;
    return !isOver && this.signal?.aborted !== true;
  }

  /** Stops sending on days off and outside the send hours. Requests in flight are awaited. */
  obeyCalendar(asks: "send" | "begin"): void {
    const { policy, context } = this.tools;
    const resting = policy.whyResting(context.clock.now(), asks);
    if (resting !== undefined) this.stop(resting);
  }

  obeyStopOrder(): void {
    const reason = this.tools.policy.stopOrder();
    if (reason !== undefined) this.stop(problem("SENDING_STOPPED", { reason }));
  }

  /**
   * Returns the result of `ask`; undefined if the service can no longer be asked, which then becomes the reason for
   * the run's end. Before the first creation the fault is thrown.
   */
  async unlessServiceIsOut<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
    const asked = await orProblem(ask, (why) => this.sent && isOfService(why));
    if (!isProblem(asked)) return asked;
    this.rules.cannotLook(asked);
    return undefined;
  }
}
