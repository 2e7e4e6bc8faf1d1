/**
 * Marks elements that the service shows with something new, no longer shows, or shows again. They must be compared
 * and posted.
 */
import { chunks } from "../model/chunks.ts";
import type { ObservedKind } from "../model/index.ts";
import { ITEMS_PER_STATEMENT, run, sql, type Transaction } from "./sql.ts";

/**
 * Raises the change counter, so that a comparison or posting that is just reading an element keeps it on its list.
 */
export function* markChanged(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks([...new Set(ids)], ITEMS_PER_STATEMENT)) {
    const given = JSON.stringify(some);
    yield* run(sql`insert into uncompared (kind, id, seq) select ${kind}, value, 1 from json_each(${given})
      where true on conflict (kind, id) do update set seq = uncompared.seq + 1`);
    // The first posting goes over everything ever seen, so nothing needs to be listed before.
    yield* run(sql`insert into unposted (kind, id, seq) select ${kind}, value, 1 from json_each(${given})
      where exists (select 1 from posted_so_far) on conflict (kind, id) do update set seq = unposted.seq + 1`);
  }
}
