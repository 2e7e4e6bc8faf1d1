/** Payouts and deposits that must be compared: those that were shown with something new, or no longer, or again. */
import { chunks } from "../model/chunks.ts";
import type { ObservedKind } from "../model/index.ts";
import { ITEMS_PER_STATEMENT, run, sql, type Transaction } from "./sql.ts";

/** A comparison that reads one of them meanwhile does not take it from the list. */
export function* markUncompared(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks([...new Set(ids)], ITEMS_PER_STATEMENT))
    yield* run(sql`insert into uncompared (kind, id, seq) select ${kind}, value, 1 from json_each(${JSON.stringify(some)})
      where true on conflict (kind, id) do update set seq = uncompared.seq + 1`);
}
