/**
 * One daemon among the machines that share a database: which of its jobs runs when another machine has work for it,
 * or dies while doing that work.
 */
import type { Job } from "../../jobs/job.ts";
import type { Machines } from "../store/store.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { ScheduledJob } from "./scheduled-job.ts";

/**
 * The jobs whose work has a lane of the same name (workplace/exclusively.ts). All other lanes belong to client
 * keys.
 */
const WORK = ["intake", "expected", "reconcile", "results", "ledger-export", "notices", "retention"];

/** Undefined if the database cannot be shared. */
export function joinOthers(
  { store, context }: Workplace,
  jobs: readonly Job[],
  called: (name: string) => ScheduledJob | undefined,
): Machines | undefined {
  return store.join?.(
    {
      jobs: jobs.filter(({ wake }) => wake !== undefined).map(({ name }) => name),
      wake: (name) => called(name)?.wake(),
      abandoned: (lane) => called(WORK.includes(lane) ? lane : "pay")?.takeOver(),
    },
    context.log,
  );
}
