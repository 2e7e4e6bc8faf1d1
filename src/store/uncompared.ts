/** Payouts and deposits that must be compared: those that were shown with something new, or no longer, or again. */
import { run, sql, type Transaction } from "./sql.ts";

/** A comparison that reads one of them meanwhile does not take it from the list. */
export function* markUncompared(kind: string, ids: readonly string[]): Transaction<void> {
  if (ids.length === 0) return;
  yield* run(sql`insert into uncompared (kind, id, seq) select ${kind}, value, 1 from json_each(${JSON.stringify([...new Set(ids)])})
    where true on conflict (kind, id) do update set seq = uncompared.seq + 1`);
}
