/** Runs jobs by their cron expressions until told to stop. A job never overlaps itself; a failed slot is logged and the next one comes. */
import cron, { type Logger } from "node-cron";
import type { Job } from "../../jobs/job.ts";
import type { Log } from "../context/log.ts";
import { Fault } from "../faults/index.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { endRun, startRun } from "../store/runs.ts";
import { scheduleOf } from "./timetable.ts";

/** Resolves when `signal` has aborted and every running job has ended. */
export async function runScheduler(
  workplace: Workplace,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<void> {
  const { config } = workplace;
  const running = new Set<Promise<void>>();
  const tasks = jobs.map((job) =>
    cron.schedule(
      scheduleOf(config, job),
      async ({ date }) => {
        const run = runSlot(workplace, job, date, signal);
        running.add(run);
        await run.finally(() => running.delete(run));
      },
      {
        name: job.name,
        timezone: config.ledger.timeZone,
        noOverlap: true,
        logger: scheduleLogger(workplace.context.log, job),
      },
    ),
  );
  await aborted(signal);
  await Promise.all(tasks.map((task) => task.stop()));
  await Promise.all(running);
}

/** A slot that cannot even be kept (the database is busy) is logged like one that failed; the next one comes. */
async function runSlot(workplace: Workplace, job: Job, dueAt: Date, signal: AbortSignal): Promise<void> {
  try {
    await keepRun(workplace, job, dueAt, signal);
  } catch (error) {
    workplace.context.log.error("job failed", { job: job.name, ...described(error) });
  }
}

/** One slot of one job, kept in the store with how it ended. */
async function keepRun(workplace: Workplace, job: Job, dueAt: Date, signal: AbortSignal): Promise<void> {
  const { store, context } = workplace;
  const startMs = context.clock.monotonicMs();
  const id = await store.write(() => startRun(job.name, dueAt.toISOString(), context.clock.now()));
  const outcome = await job.run(workplace, signal).then(
    (fields) => ({ ...fields, outcome: "done" }),
    (error: unknown) => ({
      outcome: store.isShared && isDoneElsewhere(error) ? "done" : "failed",
      ...described(error),
    }),
  );
  await store.write(() => endRun(id, JSON.stringify(outcome), context.clock.now()));
  const fields = { job: job.name, durationMs: Math.round(context.clock.monotonicMs() - startMs), ...outcome };
  if (outcome.outcome === "done") context.log.info("job done", fields);
  else context.log.error("job failed", fields);
}

/** Machines that share a database have the same slots; what only one may do at a time the others leave to that one. */
function isDoneElsewhere(error: unknown): boolean {
  return (
    error instanceof Fault &&
    ["LANE_TAKEN", "EXPORT_UNDER_WAY", "RECONCILE_UNDER_WAY"].includes(error.problem.code)
  );
}

function described(error: unknown): { code?: string; message: string } {
  if (error instanceof Fault) return { code: error.problem.code, message: error.problem.message };
  return { message: error instanceof Error ? error.message : String(error) };
}

/** What node-cron has to say (a slot missed, or passed over because the job still ran) goes where all else is logged. */
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
