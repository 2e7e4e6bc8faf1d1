/** Runs jobs by their cron expressions until stopped. */
import { EventEmitter, once } from "node:events";
import { isOnIn, type Job } from "../../jobs/job.ts";
import { present } from "../model/present.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Hints } from "./callbacks.ts";
import { whenClockIsSet } from "./clock-watch.ts";
import { joinOthers } from "./machines.ts";
import { ScheduledJob } from "./scheduled-job.ts";
import { UnrecordedRuns } from "./unrecorded-runs.ts";

/** Runs the jobs until `signal` aborts; resolves once every running job has ended. */
export async function runScheduler(
  workplace: Workplace,
  jobs: readonly Job[],
  signal: AbortSignal,
  hints: Hints = new EventEmitter(),
  unrecorded: UnrecordedRuns = new UnrecordedRuns(),
): Promise<void> {
  const { clock, log } = workplace.context;
  const wanted = jobs.filter(isOnIn(workplace.config));
  let scheduled: readonly ScheduledJob[] = [];
  const named = (name: string) => scheduled.find((job) => job.name === name);
  const machines = joinOthers(workplace, wanted, named);
  const shared = { ...workplace, ...present({ machines }) };
  scheduled = wanted.map((job) => new ScheduledJob(shared, job, signal, unrecorded));
  for (const job of scheduled) job.catchUp();
  hints.on("hint", (name) => named(name)?.hint());
  hints.on("run", (name, person) => named(name)?.runNow(person));
  const endWatch = whenClockIsSet(clock, (byMs) => {
    const direction = byMs < 0 ? "back" : "forward";
    const message =
      `the clock went ${direction} by ${Math.round(Math.abs(byMs) / 1000)} s; the jobs go by ` +
      `the new time`;
    log.warn("clock", { message });
    for (const job of scheduled) job.clockWasSet();
  });
  await aborted(signal);
  endWatch();
  log.info("stopping", {
    count: scheduled.filter(({ isUnderWay }) => isUnderWay).length,
    message: "nothing more is begun, and the jobs under way are awaited",
  });
  await Promise.all(scheduled.map((job) => job.end()));
  await machines?.leave();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
