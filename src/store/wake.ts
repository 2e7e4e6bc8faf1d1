/**
 * Wakes the machines that share a database, so that they need not wait for their schedules. The database delivers a
 * call when its transaction commits, and not otherwise. A call is only a hint: a machine that is not connected
 * misses it and follows its schedule.
 */
import { run, sql, type Transaction } from "./sql.ts";

/** On a database server, calls go through this channel; their text is the job's name. */
export const WAKE_CHANNEL = "paydrop";

/** Wakes all machines to run a job now. Does nothing in a SQLite file, whose one daemon follows its schedule. */
export function* wakeMachines(job: "pay" | "expected"): Transaction<void> {
  yield* run(sql`select pg_notify(${WAKE_CHANNEL}, ${job})`);
}
