/**
 * Remembers runs that the database could not store (the disk is full, another process holds the lock), so that
 * monitors and notices do not judge by an earlier run.
 */

import type { LastRun } from "../store/runs.ts";
import type { Figures } from "../views/figures.ts";

export class UnrecordedRuns {
  private readonly byJob = new Map<string, LastRun>();

  add(run: LastRun): void {
    this.byJob.set(run.job, run);
  }

  /** Call when a later run of the job was stored. */
  forget(job: string): void {
    this.byJob.delete(job);
  }

  /** The figures as they would be if these runs had been recorded. */
  among(figures: Figures): Figures {
    const kept = figures.lastEndedRuns.filter(({ job }) => !this.byJob.has(job));
    return { ...figures, lastEndedRuns: [...kept, ...this.byJob.values()] };
  }
}
