/** Reads what is due in windows and looks each window up at the service, before anything of it is sent. */
import { problem } from "../faults/index.ts";
import type { Instruction } from "../model/index.ts";
import { countDue, type DueFilter, type InstructionKey, listDue } from "../store/instructions.ts";
import { listInDoubt } from "../store/submissions.ts";
import { sendsAtOnce } from "./adaptive-concurrency.ts";
import { lookForSome } from "./doubts/visibility.ts";
import { type LookBefore, lookBefore, lookedUpTogether } from "./look-before.ts";
import type { ExecutionOptions } from "./report.ts";
import type { RunEnd } from "./run-end.ts";
import type { Tally } from "./tally.ts";
import type { ExecutionTools } from "./tools.ts";

export class DueWindows {
  private readonly tools: ExecutionTools;
  private readonly end: RunEnd;
  private readonly tally: Tally;
  private readonly filter: DueFilter;
  private readonly windowSize: number;
  private due = 0;
  private after: InstructionKey | undefined;
  private lookedForUntil = 0;

  constructor(tools: ExecutionTools, { batch }: ExecutionOptions, end: RunEnd, tally: Tally) {
    this.tools = tools;
    this.end = end;
    this.tally = tally;
    this.filter = {
      today: tools.policy.dayOf(tools.context.clock.now()),
      batch,
      except: tools.policy.elsewhere.custodyAccounts,
    };
    this.windowSize = lookedUpTogether(sendsAtOnce(tools.policy));
  }

  /** How many payments were due when they were counted. */
  get count(): number {
    return this.due;
  }

  async countAll(): Promise<void> {
    this.due = await this.tools.store.read(() => countDue(this.filter));
  }

  /** Begins again with the first payment that is still due. */
  restart(): void {
    this.after = undefined;
  }

  /** The next due payments that the service does not have; undefined if none, or none may be sent. Never rejects. */
  async next(): Promise<readonly Instruction[] | undefined> {
    try {
      if (!(await this.mayGoOn())) return undefined;
      const window = await this.tools.store.read(() => listDue(this.filter, this.after, this.windowSize));
      this.after = window.at(-1) ?? this.after;
      if (window.length === 0) return undefined;
      const look = await this.end.unlessServiceIsOut(() => this.lookAround(window));
      if (look === undefined) return undefined;
      if (look.unstable !== undefined) this.end.stop(look.unstable);
      this.tally.hold(look.held);
      for (const { instruction, problem: why } of look.postponed) this.tally.postpone(instruction, why);
      return look.unknown;
    } catch (error) {
      this.end.fail(error);
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

  /** Looks for what was accepted since the last window, alongside the look-up of the next one. */
  private async lookForRecent(): Promise<void> {
    const looked = await lookForSome(this.tools, this.lookedForUntil);
    if (looked === undefined) return;
    this.tally.note(looked.problems);
    this.lookedForUntil = looked.after;
  }

  private async mayGoOn(): Promise<boolean> {
    if (this.due > 0) this.end.obeyStopOrder();
    const { policy, store } = this.tools;
    if (policy.nonceRule === "increasing") {
      const doubts = await store.read(() => listInDoubt());
      if (doubts.some(({ keyId }) => keyId === policy.keyId)) this.end.stop(problem("LANE_PAUSED", {}));
    }
    return this.end.maySend();
  }
}
