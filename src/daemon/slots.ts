/**
 * Says when a job's slots come, and begins them by the wall clock. node-cron only computes the next one: its own
 * timers would run through every slot that a clock set forward has skipped, half a million for a year.
 */
import cron, { type ScheduledTask } from "node-cron";
import type { Clock } from "../context/clock.ts";
import { invariant } from "../faults/index.ts";
import { DAY_MS, type Instant } from "../model/index.ts";

/** How late a slot may begin: a machine that is busy, or stood still, wakes late. */
export const LATE_MAX_MS = 60_000;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** `firstDueAt`: the first of the slots that have passed meanwhile, of which only `dueAt` begins. */
type Begin = (dueAt: Date, now: Date, firstDueAt: Date) => void;

export class Slots {
  private readonly calendar: ScheduledTask;
  private readonly clock: Clock;
  private readonly begin: Begin;
  private due: Date;
  private timer: NodeJS.Timeout | undefined;

  /** Slots come from now on. Several that pass meanwhile, for instance while the machine sleeps, count as one. */
  constructor(
    { schedule, timeZone }: { readonly schedule: string; readonly timeZone: string },
    clock: Clock,
    begin: Begin,
  ) {
    this.calendar = calendarOf(schedule, timeZone);
    this.clock = clock;
    this.begin = begin;
    this.due = nextSlot(this.calendar);
    this.wait();
  }

  /** The next slot, and the usual time between two. */
  upcoming(): { readonly next: Date; readonly intervalMs: number } {
    const [first = Number.NaN, second = Number.NaN] = this.calendar.getNextRuns(2).map(Number);
    return { next: nextSlot(this.calendar), intervalMs: second - first };
  }

  /** The first slot after an instant and before another; undefined if there is none, or it is not found in time. */
  firstBetween(after: Date, before: Date): Date | undefined {
    return slotFrom(this.calendar, after.getTime() + 1, before.getTime());
  }

  /** The clock was set: timers count the machine's own time. */
  clockWasSet(): void {
    this.beginIfDue();
    this.due = nextSlot(this.calendar);
    this.wait();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private beginIfDue(): void {
    const now = new Date(this.clock.now());
    if (now < this.due) return;
    const firstDueAt = this.due;
    const dueAt = this.lastPassed(now.getTime());
    this.due = nextSlot(this.calendar);
    this.begin(dueAt, now, firstDueAt);
  }

  /** Of the slots that have passed, the last one that may still begin; otherwise the first. */
  private lastPassed(nowMs: number): Date {
    const earliestMs = Math.max(this.due.getTime(), nowMs - LATE_MAX_MS);
    for (let atMs = nowMs - (nowMs % SECOND_MS); atMs > earliestMs; atMs -= SECOND_MS)
      if (this.calendar.match(new Date(atMs))) return new Date(atMs);
    return this.due;
  }

  /** Timers cannot wait for a month. */
  private wait(): void {
    clearTimeout(this.timer);
    const untilDueMs = this.due.getTime() - Date.parse(this.clock.now());
    const onTime = () => {
      this.beginIfDue();
      this.wait();
    };
    this.timer = setTimeout(onTime, Math.min(untilDueMs, DAY_MS));
  }
}

/** The slots of a cron expression in a time zone; starts nothing. */
export function calendarOf(schedule: string, timezone: string): ScheduledTask {
  return cron.createTask(schedule, () => undefined, { timezone });
}

/**
 * The first slot from now on. When clocks are set back, an hour comes twice, and depending on the time zone
 * node-cron knows its first run, or only its second. The slot that it leaves out is within an hour from now, or
 * within an hour before the slot that it gives.
 */
export function nextSlot(calendar: ScheduledTask): Date {
  const nowMs = Date.now();
  const [next] = calendar.getNextRuns(1);
  invariant(next !== undefined, "a schedule has no next slot");
  const nextMs = next.getTime();
  const firstMs = nowMs + ((nextMs - nowMs - 1) % MINUTE_MS) + 1;
  for (let atMs = firstMs; atMs < nextMs && atMs <= nowMs + HOUR_MS; atMs += MINUTE_MS)
    if (calendar.match(new Date(atMs))) return new Date(atMs);
  const anHourBefore = new Date(nextMs - HOUR_MS);
  return anHourBefore.getTime() > nowMs && calendar.match(anHourBefore) ? anHourBefore : next;
}

/** How many minutes are looked through at most: some milliseconds' work. */
const MINUTES_SOUGHT = 2 * 24 * 60;

/**
 * The first slot from an instant on and before another, among those at the seconds of a minute at which the next one
 * is; undefined if there is none within two days.
 */
function slotFrom(calendar: ScheduledTask, fromMs: number, beforeMs: number): Date | undefined {
  const secondsMs = nextSlot(calendar).getTime() % MINUTE_MS;
  const firstMs = Math.ceil((fromMs - secondsMs) / MINUTE_MS) * MINUTE_MS + secondsMs;
  const lastMs = Math.min(beforeMs, firstMs + MINUTES_SOUGHT * MINUTE_MS);
  for (let atMs = firstMs; atMs < lastMs; atMs += MINUTE_MS)
    if (calendar.match(new Date(atMs))) return new Date(atMs);
  return undefined;
}

/** Of a schedule with few slots, how many are looked through. */
const SLOTS_SOUGHT = 100;

/**
 * The first slot from now on at which its job does not rest; `restAt` gives the end of a rest. The next slot of all if
 * none is found.
 */
export function nextWorkingSlot(calendar: ScheduledTask, restAt: (at: Instant) => Instant | undefined): Date {
  const next = nextSlot(calendar);
  const until = restAt(next.toISOString());
  if (until === undefined) return next;
  const soon = slotFrom(calendar, Date.parse(until), Number.POSITIVE_INFINITY);
  const isWorking = (slot: Date) => restAt(slot.toISOString()) === undefined;
  if (soon !== undefined && isWorking(soon)) return soon;
  return calendar.getNextRuns(SLOTS_SOUGHT).find(isWorking) ?? next;
}
