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
import { described, isDoneElsewhere } from "./run-outcome.ts";

/** Hints for a job are gathered for this long before it runs, which also limits how often they make it run. */
const HINTS_GATHERED_MS = 5_000;

/**
 * Resolves once `signal` has aborted and every running job has ended. A hint makes a job look, or run, before its slot.
 */
export async function runScheduler(
  workplace: Workplace,
  jobs: readonly Job[],
  signal: AbortSignal,
  hints: Hints = new EventEmitter(),
): Promise<void> {
  const { config, context } = workplace;
  /** Keyed by job, so that catching up at the start does not overlap a slot. */
  const running = new Map<Job["name"], Promise<void>>();
  const afterOthers = (job: Job, work: () => Promise<void>) => {
    const run = (running.get(job.name) ?? Promise.resolve()).then(work);
    running.set(job.name, run);
    return run;
  };
  const tasks = jobs.map((job) => {
    const task: ScheduledTask = cron.schedule(
      config.schedule[job.name],
      ({ date: dueAt }) => afterOthers(job, () => runSlot(workplace, job, { task, dueAt, signal })),
      {
        name: job.name,
        timezone: config.ledger.timeZone,
        noOverlap: true,
        logger: scheduleLogger(context.log, job),
      },
    );
    if (job.madeUpFor) void afterOthers(job, () => makeUpFor(workplace, job, task, signal));
    let isHinted = false;
    hints.on("hint", (name) => {
      if (name !== job.name || isHinted) return;
      isHinted = true;
      void afterOthers(job, async () => {
        const isDue = await hasSlept(context.clock, HINTS_GATHERED_MS, signal);
        isHinted = false;
        const dueAt = new Date(context.clock.now());
        if (isDue)
          await (job.look === undefined
            ? runSlot(workplace, job, { task, dueAt, signal })
            : lookNow(workplace, job, job.look(workplace, signal)));
      });
    });
    return task;
  });
  await aborted(signal);
  context.log.info("stopping", {
    count: running.size,
    message: "nothing more is begun, and the jobs under way are awaited",
  });
  await Promise.all(tasks.map((task) => task.stop()));
  await Promise.all(running.values());
}

/** Catches up on a job whose last run failed or whose slot has passed since: waits as long as two slots are apart. */
async function makeUpFor(
  workplace: Workplace,
  job: Job,
  task: ScheduledTask,
  signal: AbortSignal,
): Promise<void> {
  const { store, context } = workplace;
  const dueAt = new Date(context.clock.now());
  const [next, afterNext] = task.getNextRuns(2).map((date) => date.getTime());
  const betweenMs =
    next === undefined || afterNext === undefined ? Number.POSITIVE_INFINITY : afterNext - next;
  try {
    const last = (await store.read(() => listLastRuns())).find((one) => one.job === job.name);
    if (last === undefined) return;
    const hasPassed = dueAt.getTime() - Date.parse(last.dueAt) > betweenMs;
    if (!hasPassed && last.outcome?.["outcome"] === "done") return;
  } catch (error) {
    context.log.error("job failed", { job: job.name, ...described(error) });
    return;
  }
  await runSlot(workplace, job, { task, dueAt, signal });
}

interface Slot {
  readonly task: ScheduledTask;
  readonly dueAt: Date;
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MS = 60_000;

/**
 * Runs a slot. A failed one of a job that catches up is repeated after 1, 2, 4, ... minutes, as long as the next slot
 * is further away.
 */
async function runSlot(workplace: Workplace, job: Job, slot: Slot): Promise<void> {
  const { context } = workplace;
  const { clock } = context;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    // A run that cannot even be recorded (the database is busy) is logged as failed.
    const isDone = await keepRun(workplace, job, slot).catch((error: unknown) => {
      context.log.error("job failed", { job: job.name, ...described(error) });
      return false;
    });
    if (isDone || !job.madeUpFor) return;
    const [next] = slot.task.getNextRuns(1);
    if (next !== undefined && next.getTime() <= Date.parse(clock.now()) + pauseMs) return;
    if (!(await hasSlept(clock, pauseMs, slot.signal))) return;
  }
}

/** Runs a job once and stores how it ended; returns whether it ended well. */
async function keepRun(workplace: Workplace, job: Job, { dueAt, signal }: Slot): Promise<boolean> {
  const { store, context } = workplace;
  const startMs = context.clock.monotonicMs();
  const id = await store.write(() => startRun(job.name, dueAt.toISOString(), context.clock.now()));
  const outcome = await outcomeOf(workplace, job.run(workplace, signal));
  await store.write(() => endRun(id, JSON.stringify(outcome), context.clock.now()));
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
