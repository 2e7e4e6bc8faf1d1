/** Each run of a scheduled job, with the slot it was due in. */
import { invariant } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import { first, nouns, run, sql, type Transaction } from "./sql.ts";

export function* startRun(job: string, dueAt: Instant, startedAt: Instant): Transaction<number> {
  const row = yield* first<{ id: number }>(
    sql`insert into run (job, due_at, started_at) values (${job}, ${dueAt}, ${startedAt}) returning id`,
  );
  invariant(row !== undefined, "an inserted run has an id");
  return row.id;
}

export function* endRun(id: number, outcome: string, endedAt: Instant): Transaction<void> {
  yield* run(sql`update run set ended_at = ${endedAt}, outcome = ${outcome} where id = ${id}`);
}

export interface LastRun {
  readonly job: string;
  /** The slot it was for. */
  readonly dueAt: Instant;
  readonly startedAt: Instant;
  /** Absent while it runs, and where its process died. */
  readonly endedAt?: Instant;
  /** What the job said: its outcome ("done" or "failed"), a message, a code. */
  readonly outcome?: Readonly<Record<string, unknown>>;
}

/** The last run of each job that ever ran. */
export function* listLastRuns(): Transaction<LastRun[]> {
  const runs = yield* nouns<Omit<LastRun, "outcome"> & { readonly outcome?: string }>(
    sql`select job, due_at, started_at, ended_at, outcome from run
      where id in (select max(id) from run group by job) order by id`,
  );
  return runs.map(({ outcome, ...times }) =>
    outcome === undefined ? times : { ...times, outcome: JSON.parse(outcome) as Record<string, unknown> },
  );
}
