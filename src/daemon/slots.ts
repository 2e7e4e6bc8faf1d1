/**
 * Computes when a job's slots come, and begins them by the wall clock. node-cron only computes the next one: its
 * own timers would run through every slot that a clock set forward has skipped, half a million for a year.
 */
import cron, { type ScheduledTask } from "node-cron";
import type { Clock } from "../context/clock.ts";
import { invariant } from "../faults/index.ts";
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../model/index.ts";

/** How late a slot may begin: a busy or suspended machine wakes up late. */
export const LATE_MAX_MS = 60_000;

const SECOND_MS = 1000;

/** `firstDueAt`: the first of several slots that have passed; only the last one, `dueAt`, begins. */
type Begin = (dueAt: Date, now: Date, firstDueAt: Date) => void;

export class Slots {
  private readonly calendar: ScheduledTask;
  private readonly clock: Clock;
  private readonly begin: Begin;
  private due: Date;
  private timer: NodeJS.Timeout | undefined;

  /** Slots come from now on. Several that pass unnoticed, for instance while the machine sleeps, count as one. */
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

  /**
   * The first slot between two instants, exclusive; undefined if there is none, or none within the limits of the
   * search.
   */
  firstBetween(after: Date, before: Date): Date | undefined {
    return slotFrom(this.calendar, after.getTime() + 1, before.getTime());
  }

  /** Starts the timers again after the clock was set, because timers count the machine's own time. */
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

  /** The last passed slot that may still begin; if there is none, the first passed one. */
  private lastPassed(nowMs: number): Date {
    const earliestMs = Math.max(this.due.getTime(), nowMs - LATE_MAX_MS);
    for (let atMs = nowMs - (nowMs % SECOND_MS); atMs > earliestMs; atMs -= SECOND_MS)
      if (this.calendar.match(new Date(atMs))) return new Date(atMs);
    return this.due;
  }

  /** Waits in steps, because timers cannot wait for a month. */
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
 * The first slot from now on. When clocks are set back, an hour comes twice, and node-cron knows either its first
 * or its second run, depending on the time zone. The slot that it misses is within the next hour, or within the
 * hour before the slot that it returns.
 */
function nextSlot(calendar: ScheduledTask): Date {
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

/** The most minutes that are searched; takes some milliseconds. */
const MINUTES_SOUGHT = 2 * 24 * 60;

/**
 * The first slot in [from, before), assuming that all slots have the seconds of the next one; undefined if there is
 * none within two days.
 */
function slotFrom(calendar: ScheduledTask, fromMs: number, beforeMs: number): Date | undefined {
  const secondsMs = nextSlot(calendar).getTime() % MINUTE_MS;
  const firstMs = Math.ceil((fromMs - secondsMs) / MINUTE_MS) * MINUTE_MS + secondsMs;
  const lastMs = Math.min(beforeMs, firstMs + MINUTES_SOUGHT * MINUTE_MS);
  for (let atMs = firstMs; atMs < lastMs; atMs += MINUTE_MS)
    if (calendar.match(new Date(atMs))) return new Date(atMs);
  return undefined;
}

/** The most slots that are searched if a schedule has few. */
const SLOTS_SOUGHT = 100;

/**
 * The first slot from now on at which the job does not rest; `restAt` gives the end of a rest. If none is found,
 * the next slot.
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
