/**
 * Runs jobs by their cron expressions until stopped. A job never overlaps itself; a failed slot is logged and the next
 * one comes. A missed nightly comparison is made up for, since services are down for maintenance at night and daemons
 * are restarted.
 */
import { EventEmitter } from "node:events";
import cron, { type Logger, type ScheduledTask } from "node-cron";
import type { Job } from "../../jobs/job.ts";
import { hasSlept } from "../context/clock.ts";
import type { Log, LogFields } from "../context/log.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { endRun, listLastRuns, startRun } from "../store/runs.ts";
import type { Hints } from "./callbacks.ts";
import { whenClockIsSet } from "./clock-watch.ts";
import { described, isDoneElsewhere } from "./run-outcome.ts";
import { UnkeptRuns } from "./unkept-runs.ts";

/** Hints for a job are gathered for this long before it runs, which also limits how often they make it run. */
const HINTS_GATHERED_MS = 5_000;

/** Runs the jobs until `signal` aborts; resolves once every running job has ended. */
export async function runScheduler(
  workplace: Workplace,
  jobs: readonly Job[],
  signal: AbortSignal,
  hints: Hints = new EventEmitter(),
  unkept: UnkeptRuns = new UnkeptRuns(),
): Promise<void> {
  const { clock, log } = workplace.context;
  const queues = new JobQueues();
  const makeUp = (job: Job, task: ScheduledTask) => {
    if (job.madeUpFor) void queues.add(job, () => makeUpFor(workplace, job, { task, signal, unkept }));
  };
  const tasks = jobs.map((job) => {
    const task = scheduled(workplace, job, queues, { signal, unkept });
    makeUp(job, task);
    followHints({ workplace, job, queues, task, signal, unkept }, hints);
    return { job, task };
  });
  const endWatch = whenClockIsSet(clock, (byMs) => {
    const direction = byMs < 0 ? "back" : "forward";
    const message = `the clock went ${direction} by ${Math.round(Math.abs(byMs) / 1000)} s; the jobs go by the new time`;
    log.warn("clock", { message });
    for (const { job, task } of tasks) {
      void task.stop();
      void task.start();
      makeUp(job, task);
    }
  });
  await aborted(signal);
  endWatch();
  log.info("stopping", {
    count: queues.count,
    message: "nothing more is begun, and the jobs under way are awaited",
  });
  await Promise.all(tasks.map(({ task }) => task.stop()));
  await queues.ended();
}

/** One queue per job, so that catching up at the start and hints do not overlap a slot. */
class JobQueues {
  private readonly latest = new Map<Job["name"], Promise<void>>();

  get count(): number {
    return this.latest.size;
  }

  /** Does `work` after everything that was added for the job before. */
  add(job: Job, work: () => Promise<void>): Promise<void> {
    const run = (this.latest.get(job.name) ?? Promise.resolve()).then(work);
    this.latest.set(job.name, run);
    return run;
  }

  async ended(): Promise<void> {
    await Promise.all(this.latest.values());
  }
}

/**
 * How late a slot may begin, unless the next one has come: a machine that is busy, or stood still, wakes late. What is made
 * up for begins however late.
 */
const LATE_MAX_MS = 60_000;

function scheduled(workplace: Workplace, job: Job, queues: JobQueues, serving: Serving): ScheduledTask {
  const { config, context } = workplace;
  const task: ScheduledTask = cron.schedule(
    config.schedule[job.name],
    ({ date: dueAt }) => queues.add(job, () => runSlot(workplace, job, { task, dueAt, ...serving })),
    {
      name: job.name,
      timezone: config.ledger.timeZone,
      noOverlap: true,
      missedExecutionTolerance: job.madeUpFor ? Number.POSITIVE_INFINITY : LATE_MAX_MS,
      logger: scheduleLogger(context.log, job),
    },
  );
  return task;
}

interface Hinted extends Serving {
  readonly workplace: Workplace;
  readonly job: Job;
  readonly queues: JobQueues;
  readonly task: ScheduledTask;
}

/** A hint makes a job look, or run, before its slot; hints that come until then have no further effect. */
function followHints({ workplace, job, queues, task, signal, unkept }: Hinted, hints: Hints): void {
  const { clock } = workplace.context;
  let isHinted = false;
  hints.on("hint", (name) => {
    if (name !== job.name || isHinted) return;
    isHinted = true;
    void queues.add(job, async () => {
      const isDue = await hasSlept(clock, HINTS_GATHERED_MS, signal);
      isHinted = false;
      const dueAt = new Date(clock.now());
      if (isDue)
        await (job.look === undefined
          ? runSlot(workplace, job, { task, dueAt, signal, unkept })
          : lookNow(workplace, job, job.look(workplace, signal)));
    });
  });
}

/** At the start, and when the clock was set, runs a job whose last run failed or whose last slot is more than two intervals ago. */
async function makeUpFor(workplace: Workplace, job: Job, slot: Omit<Slot, "dueAt">): Promise<void> {
  const { store, context } = workplace;
  const { task } = slot;
  const dueAt = new Date(context.clock.now());
  const [next, afterNext] = task.getNextRuns(2).map((date) => date.getTime());
  const betweenMs =
    next === undefined || afterNext === undefined ? Number.POSITIVE_INFINITY : afterNext - next;
  try {
    const last = (await store.read(() => listLastRuns())).find((run) => run.job === job.name);
    if (last === undefined) return;
    const hasPassed = dueAt.getTime() - Date.parse(last.dueAt) > betweenMs;
    if (!hasPassed && last.outcome?.["outcome"] === "done") return;
  } catch (error) {
    context.log.error("job failed", { job: job.name, ...described(error) });
    return;
  }
  await runSlot(workplace, job, { ...slot, dueAt });
}

/** What all runs of the daemon share. */
interface Serving {
  readonly signal: AbortSignal;
  readonly unkept: UnkeptRuns;
}

interface Slot extends Serving {
  readonly task: ScheduledTask;
  readonly dueAt: Date;
}

const FIRST_PAUSE_MS = 60_000;

/** Runs a slot. For jobs that catch up, a failure is repeated after 1, 2, 4, ... minutes until the next slot. */
async function runSlot(workplace: Workplace, job: Job, slot: Slot): Promise<void> {
  const { context } = workplace;
  const { clock } = context;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const startedAt = clock.now();
    // A run that cannot even be recorded (the database is busy, the disk is full) is logged as failed.
    const isDone = await keepRun(workplace, job, slot).catch((error: unknown) => {
      const outcome = { outcome: "failed", ...described(error) };
      context.log.error("job failed", { job: job.name, ...described(error) });
      const dueAt = slot.dueAt.toISOString();
      slot.unkept.add({ job: job.name, dueAt, startedAt, endedAt: clock.now(), outcome });
      return false;
    });
    if (isDone || !job.madeUpFor) return;
    const [next] = slot.task.getNextRuns(1);
    if (next !== undefined && next.getTime() <= Date.parse(clock.now()) + pauseMs) return;
    if (!(await hasSlept(clock, pauseMs, slot.signal))) return;
  }
}

/** Runs a job once and stores how it ended; returns whether it ended well. */
async function keepRun(workplace: Workplace, job: Job, { dueAt, signal, unkept }: Slot): Promise<boolean> {
  const { store, context } = workplace;
  const startMs = context.clock.monotonicMs();
  const id = await store.write(() => startRun(job.name, dueAt.toISOString(), context.clock.now()));
  const outcome = await outcomeOf(workplace, job.run(workplace, signal));
  await store.write(() => endRun(id, JSON.stringify(outcome), context.clock.now()));
  unkept.forget(job.name);
  logOutcome(workplace, job, startMs, outcome);
  return outcome.outcome === "done";
}

/** Not stored, so that the last slot's result remains visible. */
async function lookNow(workplace: Workplace, job: Job, look: Promise<LogFields>): Promise<void> {
  const startMs = workplace.context.clock.monotonicMs();
  logOutcome(workplace, job, startMs, await outcomeOf(workplace, look));
}

interface RunOutcome extends LogFields {
  readonly outcome: "done" | "failed";
}

function outcomeOf({ store }: Workplace, working: Promise<LogFields>): Promise<RunOutcome> {
  return working.then(
    (fields) => ({ ...fields, outcome: "done" }),
    (error: unknown) => ({
      outcome: store.isShared && isDoneElsewhere(error) ? "done" : "failed",
      ...described(error),
    }),
  );
}

function logOutcome({ context }: Workplace, { name }: Job, startMs: number, outcome: RunOutcome): void {
  const fields = { job: name, durationMs: Math.round(context.clock.monotonicMs() - startMs), ...outcome };
  if (outcome.outcome === "done") context.log.info("job done", fields);
  else context.log.error("job failed", fields);
}

/** Logs node-cron's messages (a slot missed, or skipped because the job still ran) like everything else. */
function scheduleLogger(log: Log, { name }: Job): Logger {
  const tell = (message: string | Error) => log.warn("slot", { job: name, message: String(message) });
  return { info: () => undefined, debug: () => undefined, warn: tell, error: tell };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    // A pending timer keeps the process alive between slots; node-cron's own timers do not.
    const alive = setInterval(() => undefined, 60_000);
    signal.addEventListener("abort", () => {
      clearInterval(alive);
      resolve();
    });
  });
}
