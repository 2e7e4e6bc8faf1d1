/** Each run of a scheduled job, with the slot it was due in. */
import type { Instant } from "../model/index.ts";
import { first, run, sql, type Transaction } from "./sql.ts";

export function* startRun(job: string, dueAt: Instant, startedAt: Instant): Transaction<number> {
  const row = yield* first<{ id: number }>(
    sql`insert into run (job, due_at, started_at) values (${job}, ${dueAt}, ${startedAt}) returning id`,
  );
  return row?.id ?? 0;
}

export function* endRun(id: number, outcome: string, endedAt: Instant): Transaction<void> {
  yield* run(sql`update run set ended_at = ${endedAt}, outcome = ${outcome} where id = ${id}`);
}
