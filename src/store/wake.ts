/**
 * Wakes the machines that share a database, so that they need not wait for their schedules. A call is delivered with
 * its transaction's commit, or not at all. It is a hint: a machine that is not connected then misses it, and goes by
 * its schedule.
 */
import { run, sql, type Transaction } from "./sql.ts";

/** On a database server, calls go through this channel; their text is the job's name. */
export const WAKE_CHANNEL = "paydrop";

/** Has the machines run a job now. Does nothing in a SQLite file, whose one daemon goes by its schedule. */
export function* wakeMachines(job: "pay" | "expected"): Transaction<void> {
  yield* run(sql`select pg_notify(${WAKE_CHANNEL}, ${job})`);
}
