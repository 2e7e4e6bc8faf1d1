/**
 * One job and its slots. It never overlaps itself; a failed slot is logged and the next one comes. A missed nightly
 * comparison is made up for, because services are down for maintenance at night and daemons are restarted.
 */
import pLimit from "p-limit";
import type { Job } from "../../jobs/job.ts";
import { sleepUnlessAborted } from "../context/clock.ts";
import type { LogFields } from "../context/log.ts";
import { restText } from "../model/index.ts";
import { endRun, listLastRuns, startRun } from "../store/runs.ts";
import { type JobSlot, keepSlot, listLastSlots } from "../store/slots.ts";
import type { Transaction } from "../store/sql.ts";
import { isDoneElsewhere, whyWrong } from "../views/run-result.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { described } from "./described.ts";
import { LATE_MAX_MS, Slots } from "./slots.ts";
import type { UnrecordedRuns } from "./unrecorded-runs.ts";

/** Hints are gathered for this long before the job runs, which also limits how often they make it run. */
const HINTS_GATHERED_MS = 5_000;

const FIRST_PAUSE_MS = 60_000;

/** The stored form of a slot, without its time. */
type SlotKept = Pick<JobSlot, "how" | "reason">;

const NO_DAEMON = "no daemon ran";
const PASSED = "it passed while this machine stood still, or its clock was set";

interface RunOutcome extends LogFields {
  readonly outcome: "done" | "failed";
}

export class ScheduledJob {
  private readonly workplace: Workplace;
  private readonly job: Job;
  private readonly signal: AbortSignal;
  private readonly unrecorded: UnrecordedRuns;
  private readonly slots: Slots;
  /** Slots, hints and catch-up runs do not overlap. */
  private readonly inTurn = pLimit(1);
  /** Of these a second one has no effect until the first begins. */
  private readonly awaited = new Set<"hint" | "run now" | "wake">();
  private isSlotUnderWay = false;
  /** Slots that are being stored. */
  private readonly noting = new Set<Promise<void>>();

  /** Starts its slots. */
  constructor(workplace: Workplace, job: Job, signal: AbortSignal, unrecorded: UnrecordedRuns) {
    this.workplace = workplace;
    this.job = job;
    this.signal = signal;
    this.unrecorded = unrecorded;
    const { config, context } = workplace;
    const when = { schedule: config.schedule[job.name], timeZone: config.ledger.timeZone };
    this.slots = new Slots(when, context.clock, (...slot) => this.beginSlot(...slot));
  }

  get name(): Job["name"] {
    return this.job.name;
  }

  get isUnderWay(): boolean {
    return this.inTurn.activeCount + this.inTurn.pendingCount > 0;
  }

  /** Stores the slots that passed while no daemon ran, and runs the job if it catches up and is behind. */
  catchUp(): void {
    void this.inTurn(async () => {
      const whyBehind = await this.whyBehind();
      await this.noteMissed();
      if (this.job.catchesUp && whyBehind !== undefined)
        await this.runSlot(this.now(), { how: "caught up", reason: whyBehind });
    });
  }

  /** Recomputes the slots after the clock was set. */
  clockWasSet(): void {
    this.slots.clockWasSet();
  }

  /** Makes the job look, or run, before its slot. */
  hint(): void {
    if (this.awaited.has("hint")) return;
    this.awaited.add("hint");
    void this.inTurn(async () => {
      const isDue = await sleepUnlessAborted(this.workplace.context.clock, HINTS_GATHERED_MS, this.signal);
      this.awaited.delete("hint");
      if (isDue) await this.lookOrRun();
    });
  }

  /** Runs the job outside its slots for a person. */
  runNow(person: string): void {
    if (this.awaited.has("run now")) return;
    const { log } = this.workplace.context;
    log.info("run now", { job: this.name, message: `${person} asked for it` });
    this.runApart(this.job.run, "run now");
  }

  /** Runs the job because another machine has work for it: now, or once more after the present run. */
  wake(): void {
    if (!this.awaited.has("wake")) this.runApart(this.job.wake, "wake");
  }

  /** Runs the job now, as in a slot, because another machine died while doing its work. */
  takeOver(): void {
    this.runApart();
  }

  /** Runs the job outside its slots, after the present run. */
  private runApart(run?: Job["run"], why?: "run now" | "wake"): void {
    if (why !== undefined) this.awaited.add(why);
    void this.inTurn(async () => {
      if (why !== undefined) this.awaited.delete(why);
      if (!this.signal.aborted) await this.runSlot(this.now(), undefined, run);
    });
  }

  /** Stops the slots; resolves once everything under way has ended. */
  async end(): Promise<void> {
    this.slots.end();
    await this.inTurn(() => undefined);
    await Promise.all(this.noting);
  }

  /** Says that the last run failed, or that the last slot is more than two intervals ago; undefined if neither. */
  private async whyBehind(): Promise<string | undefined> {
    const { store, context } = this.workplace;
    try {
      const last = (await store.read(() => listLastRuns())).find((run) => run.job === this.name);
      if (last === undefined) return undefined;
      const sinceLastMs = this.now().getTime() - Date.parse(last.dueAt);
      if (sinceLastMs > this.slots.upcoming().intervalMs) return NO_DAEMON;
      return last.outcome?.["outcome"] === "done" ? undefined : "the run before did not end well";
    } catch (error) {
      context.log.error("job failed", { job: this.name, ...described(error) });
      return undefined;
    }
  }

  /** Stores the slots since the last stored one. */
  private async noteMissed(): Promise<void> {
    const now = this.now();
    const { name, slots } = this;
    const skipped = (dueAt: Date) => this.skipped(dueAt, now, NO_DAEMON);
    await this.noteSlots(function* (): Transaction<void> {
      const last = (yield* listLastSlots()).get(name);
      const missed = last && slots.firstBetween(new Date(last.until ?? last.dueAt), now);
      if (missed !== undefined) yield* skipped(missed);
    });
  }

  /** A job that catches up runs however late it is. */
  private beginSlot(dueAt: Date, now: Date, firstDueAt: Date): void {
    const isLate = now.getTime() - dueAt.getTime() > LATE_MAX_MS;
    const isLeftOut = isLate && !this.job.catchesUp;
    if (firstDueAt < dueAt) this.skip(firstDueAt, new Date(dueAt.getTime() - 1), PASSED);
    if (isLeftOut || this.isSlotUnderWay) {
      const why = isLeftOut ? PASSED : "the one before is still under way";
      const message = `the slot of ${dueAt.toISOString()} is left out: ${why}`;
      this.workplace.context.log.warn("slot", { job: this.name, message });
      this.skip(dueAt, dueAt, why);
      return;
    }
    this.isSlotUnderWay = true;
    const slot: SlotKept = isLate ? { how: "caught up", reason: PASSED } : this.slotAt(now);
    void this.inTurn(() => this.runSlot(isLate ? now : dueAt, slot)).finally(() => {
      this.isSlotUnderWay = false;
    });
  }

  /** A slot in a rest is stored as skipped, although the job does its other work. */
  private slotAt(now: Date): SlotKept {
    const { config } = this.workplace;
    const rest = this.job.restAt?.(config, now.toISOString());
    if (rest === undefined) return { how: "run" };
    return { how: "skipped", reason: restText(rest, config.ledger.timeZone) };
  }

  /** Stores skipped slots while a run may be under way. */
  private skip(dueAt: Date, until: Date, reason: string): void {
    const noting = this.noteSlots(() => this.skipped(dueAt, until, reason)).finally(() =>
      this.noting.delete(noting),
    );
    this.noting.add(noting);
  }

  private skipped(dueAt: Date, until: Date, reason: string): Transaction<void> {
    const { clock } = this.workplace.context;
    const times = { dueAt: dueAt.toISOString(), ...(until > dueAt && { until: until.toISOString() }) };
    return keepSlot({ job: this.name, ...times, how: "skipped", reason }, clock.now());
  }

  /** Never rejects: if slots cannot be stored, logs that and continues. */
  private async noteSlots(note: () => Transaction<void>): Promise<void> {
    const { store, context } = this.workplace;
    try {
      await store.write(note);
    } catch (error) {
      context.log.error("slot not noted", { job: this.name, ...described(error) });
    }
  }

  /**
   * Runs a slot. A job that catches up is repeated after a failure, after 1, 2, 4, ... minutes until the next slot.
   * `slot`: its stored form; absent for runs outside a slot.
   */
  private async runSlot(dueAt: Date, slot?: SlotKept, run: Job["run"] = this.job.run): Promise<void> {
    const { clock } = this.workplace.context;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
      const isDone = await this.runOnce(dueAt, pauseMs === FIRST_PAUSE_MS ? slot : undefined, run);
      if (isDone || !this.job.catchesUp) return;
      if (this.slots.upcoming().next.getTime() <= Date.parse(clock.now()) + pauseMs) return;
      if (!(await sleepUnlessAborted(clock, pauseMs, this.signal))) return;
    }
  }

  /** Returns whether it ended well. A run that cannot even be stored (the disk is full) is logged as failed. */
  private async runOnce(dueAt: Date, slot: SlotKept | undefined, run: Job["run"]): Promise<boolean> {
    const { clock, log } = this.workplace.context;
    const startedAt = clock.now();
    try {
      return await this.recordRun(dueAt, slot, run);
    } catch (error) {
      const times = { dueAt: dueAt.toISOString(), startedAt, endedAt: clock.now() };
      this.unrecorded.add({ job: this.name, ...times, outcome: { outcome: "failed", ...described(error) } });
      log.error("job failed", { job: this.name, ...described(error) });
      return false;
    }
  }

  /** Runs the job and stores its result; returns whether it ended well. */
  private async recordRun(dueAt: Date, slot: SlotKept | undefined, run: Job["run"]): Promise<boolean> {
    const { store, context } = this.workplace;
    const { clock } = context;
    const startMs = clock.monotonicMs();
    const { name: job } = this;
    const [due, now] = [dueAt.toISOString(), clock.now()];
    const id = await store.write(function* (): Transaction<number> {
      if (slot !== undefined) yield* keepSlot({ job, dueAt: due, ...slot }, now);
      return yield* startRun(job, due, now);
    });
    const outcome = await this.outcomeOf(run(this.workplace, this.signal));
    await store.write(() => endRun(id, JSON.stringify(outcome), clock.now()));
    this.unrecorded.forget(this.name);
    this.logOutcome(outcome, startMs);
    return outcome.outcome === "done";
  }

  /** A look is not stored, so that the last slot's result remains visible. */
  private async lookOrRun(): Promise<void> {
    const startMs = this.workplace.context.clock.monotonicMs();
    const looking = this.job.look?.(this.workplace, this.signal);
    if (looking === undefined) await this.runSlot(this.now());
    else this.logOutcome(await this.outcomeOf(looking), startMs);
  }

  private async outcomeOf(working: Promise<LogFields>): Promise<RunOutcome> {
    try {
      return { ...(await working), outcome: "done" };
    } catch (error) {
      const isDone = this.workplace.store.isShared && isDoneElsewhere(error);
      return { outcome: isDone ? "done" : "failed", ...described(error) };
    }
  }

  private logOutcome(outcome: RunOutcome, startMs: number): void {
    const { clock, log } = this.workplace.context;
    const fields = { job: this.name, durationMs: Math.round(clock.monotonicMs() - startMs), ...outcome };
    if (outcome.outcome === "failed") log.error("job failed", fields);
    else if (whyWrong({ outcome: { ...outcome } }) !== undefined) log.warn("job done in part", fields);
    else log.info("job done", fields);
  }

  private now(): Date {
    return new Date(this.workplace.context.clock.now());
  }
}
