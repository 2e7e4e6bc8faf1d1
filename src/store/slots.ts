/**
 * The time slots of the scheduled jobs: each was run, run late (`caught up`), or skipped with a reason. Kept for a
 * year. Consecutive slots skipped for the same reason share a row, so that a weekend takes one row instead of
 * hundreds.
 */
import { DAY_MS, type Instant, shifted } from "../model/index.ts";
import { first, objects, run, sql, type Transaction } from "./sql.ts";

export interface JobSlot {
  readonly job: string;
  /** The time of the slot, or of the first of several skipped ones. */
  readonly dueAt: Instant;
  /** The time of the last, if several were skipped. */
  readonly until?: Instant;
  readonly how: "run" | "caught up" | "skipped";
  /** Why it was skipped or run late. */
  readonly reason?: string;
}

const SLOT = sql`select job, due_at, until, how, reason from job_slot`;

const KEPT_MS = 366 * DAY_MS;

export function* keepSlot({ job, dueAt, until, how, reason }: JobSlot, now: Instant): Transaction<void> {
  yield* run(sql`delete from job_slot where due_at < ${shifted(now, -KEPT_MS)}`);
  const last = yield* first<{ seq: number; how: string; reason: string | null }>(
    sql`select seq, how, reason from job_slot where job = ${job} order by seq desc limit 1`,
  );
  if (how === "skipped" && last?.how === how && last.reason === reason)
    yield* run(sql`update job_slot set until = ${until ?? dueAt} where seq = ${last.seq}`);
  else
    yield* run(
      sql`insert into job_slot (job, due_at, until, how, reason)
        values (${job}, ${dueAt}, ${until}, ${how}, ${reason})`,
    );
}

/** Newest first, at most `count`; `job`: empty for all. */
export function listSlots(job: string, count: number): Transaction<JobSlot[]> {
  return objects(sql`${SLOT} where (${job} = '' or job = ${job})
    order by seq desc limit ${count}`);
}

/** Slots that were skipped or run late, newest first. */
export function listUnusualSlots(count: number): Transaction<JobSlot[]> {
  return objects(sql`${SLOT} where how <> 'run'
    order by seq desc limit ${count}`);
}

/** The latest stored slot of each job. */
export function* listLastSlots(): Transaction<ReadonlyMap<string, JobSlot>> {
  const slots = yield* objects<JobSlot>(sql`${SLOT}
    where seq in (select max(seq) from job_slot group by job)`);
  return new Map(slots.map((slot) => [slot.job, slot]));
}
