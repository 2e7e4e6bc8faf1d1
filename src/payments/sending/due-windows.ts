/** Reads due payments in windows, and looks each window up at the service before any of it is sent. */
import { type Problem, problem } from "../../faults/index.ts";
import type { Instruction } from "../../model/index.ts";
import { noteHeldBack } from "../../store/begin-sending.ts";
import { countDue, type DueFilter, type InstructionKey, listDue } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { listInDoubt } from "../../store/submissions.ts";
import { sendsAtOnce } from "./adaptive-concurrency.ts";
import { lookForNextAccepted } from "./doubts/visibility.ts";
import { type LookBefore, lookBefore, lookedUpTogether } from "./look-before.ts";
import type { ExecutionOptions } from "./report.ts";
import type { RunEnd } from "./run-end.ts";
import type { Tally } from "./tally.ts";
import type { ExecutionTools, ReleaseStamps } from "./tools.ts";

export function dueWindows(tools: ExecutionTools, { batch }: ExecutionOptions, end: RunEnd, tally: Tally) {
  const { store, policy, context, gateway } = tools;
  const today = policy.dayOf(context.clock.now());
  const filter: DueFilter = { today, batch, except: policy.elsewhere.custodyAccounts };
  const windowSize = lookedUpTogether(sendsAtOnce(policy));
  let due = 0;
  let after: InstructionKey | undefined;
  let lookedForUntil = 0;
  return {
    /** How many payments were due when they were counted. */
    get count() {
      return due;
    },
    countAll,
    restart,
    next,
  };

  async function countAll(): Promise<void> {
    due = await store.read(() => countDue(filter));
  }

  /** Starts again with the first payment that is still due. */
  function restart(): void {
    after = undefined;
  }

  /** The next due payments that the service does not have; undefined if none or none may be sent. Never rejects. */
  async function next(): Promise<readonly Instruction[] | undefined> {
    try {
      if (!(await mayGoOn())) return undefined;
      const window = await store.read(() => listDue(filter, after, windowSize));
      after = window.at(-1) ?? after;
      if (window.length === 0) return undefined;
      const released = await releasedOf(window);
      // Payments held back are not even looked up, because the service may not be the one that was approved.
      if (released.length === 0) return [];
      const look = await end.unlessServiceIsOut(() => lookAround(released));
      if (look === undefined) return undefined;
      if (look.unstable !== undefined) end.stop(look.unstable);
      tally.hold(look.held);
      for (const { instruction, problem: why } of look.postponed) tally.postpone(instruction, why);
      return look.sendable;
    } catch (error) {
      end.fail(error);
      return undefined;
    }
  }

  /** The payments that approvals and policies let leave. Notes why the others are held back. */
  async function releasedOf(window: readonly Instruction[]): Promise<readonly Instruction[]> {
    await policy.prepare([...new Set(window.map(({ batchId }) => batchId))]);
    const whys = await store.read(() => whyNotReleased(window));
    for (const [instruction, why] of whys) tally.postpone(instruction, why);
    const noted = window.flatMap((instruction) => {
      const { id, reason } = instruction;
      const why = whys.get(instruction);
      const now = why?.code === "APPROVAL_UNFIT" ? why.message : undefined;
      return now === reason ? [] : [{ id, reason: now }];
    });
    if (noted.length > 0) await store.write(() => noteHeldBack(noted));
    return window.filter((instruction) => !whys.has(instruction));
  }

  function* whyNotReleased(window: readonly Instruction[]): Transaction<ReadonlyMap<Instruction, Problem>> {
    const at = context.clock.now();
    const stamps: ReleaseStamps = new Map();
    const found = new Map<Instruction, Problem>();
    for (const instruction of window) {
      const creation = policy.creationOf(instruction.fields.custodyAccountId);
      const call = creation && { ...creation, baseUrl: gateway.baseUrl };
      const why = call && (yield* policy.whyNotReleased(instruction, call, at, stamps));
      if (why !== undefined) found.set(instruction, why);
    }
    return found;
  }

  /** Makes both looks at once and awaits both even if one fails, so that none outlives the run. */
  async function lookAround(window: readonly Instruction[]): Promise<LookBefore> {
    const [before, recent] = await Promise.allSettled([lookBefore(tools, window), lookForRecent()]);
    if (before.status === "rejected") throw before.reason;
    if (recent.status === "rejected") throw recent.reason;
    return before.value;
  }

  /** Looks for payments that were accepted since the last window, alongside the look-up of the next one. */
  async function lookForRecent(): Promise<void> {
    const looked = await lookForNextAccepted(tools, lookedForUntil);
    if (looked === undefined) return;
    tally.note(looked.problems);
    lookedForUntil = looked.after;
  }

  async function mayGoOn(): Promise<boolean> {
    if (due > 0) {
      end.obeyStopOrder();
      end.obeyCalendar("send");
    }
    if (policy.nonceRule === "increasing") {
      const doubts = await store.read(() => listInDoubt());
      if (doubts.some(({ keyId }) => keyId === policy.keyId)) end.stop(problem("LANE_PAUSED", {}));
    }
    return end.maySend();
  }
}
