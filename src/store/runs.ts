/** The runs of the scheduled jobs, each with its time slot. Only the newest are kept. */
import type { Instant } from "../model/index.ts";
import { insertOne, objects, run, sql, type Transaction } from "./sql.ts";

const RUNS_KEPT_OF_A_JOB = 10_000;

export function* startRun(job: string, dueAt: Instant, startedAt: Instant): Transaction<number> {
  yield* run(sql`delete from run where job = ${job}
    and id <= (select id from run where job = ${job} order by id desc limit 1 offset ${RUNS_KEPT_OF_A_JOB - 1})`);
  return yield* insertOne(
    sql`insert into run (job, due_at, started_at) values (${job}, ${dueAt}, ${startedAt}) returning id`,
  );
}

export function* endRun(id: number, outcome: string, endedAt: Instant): Transaction<void> {
  yield* run(sql`update run set ended_at = ${endedAt}, outcome = ${outcome} where id = ${id}`);
}

export interface LastRun {
  readonly job: string;
  /** The time slot of the run. */
  readonly dueAt: Instant;
  readonly startedAt: Instant;
  /** Absent while the run lasts, and if its process died. */
  readonly endedAt?: Instant;
  /** The job's result: outcome ("done" or "failed"), message, code. */
  readonly outcome?: Readonly<Record<string, unknown>>;
}

interface RunRow extends Omit<LastRun, "outcome"> {
  readonly outcome?: string;
}

const RUN = sql`select job, due_at, started_at, ended_at, outcome from run`;

function runOf({ outcome, ...times }: RunRow): LastRun {
  if (outcome === undefined) return times;
  return { ...times, outcome: JSON.parse(outcome) as Record<string, unknown> };
}

/** The newest runs of a job, at most `count`. */
export function* listRuns(job: string, count: number): Transaction<LastRun[]> {
  const runs = yield* objects<RunRow>(sql`${RUN}
    where job = ${job} order by id desc limit ${count}`);
  return runs.map(runOf);
}

/** The last run of each job, ordered by job name; with `isEnded`, the last run that ended. */
export function* listLastRuns({ isEnded = false } = {}): Transaction<LastRun[]> {
  const runs = yield* objects<RunRow>(
    sql`${RUN}
      where id in (select max(id) from run where ended_at is not null or ${isEnded ? 1 : 0} = 0 group by job)
      order by job`,
  );
  return runs.map(runOf);
}
