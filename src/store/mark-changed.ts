/**
 * Marks elements that the service shows changed, no longer shows, or shows again, so that they are compared and
 * posted.
 */
import { chunks } from "../model/chunks.ts";
import type { ObservedKind } from "../model/index.ts";
import { ITEMS_PER_STATEMENT, run, sql, type Transaction } from "./sql.ts";

/**
 * Raises the change counter, so that an element stays on its list if a comparison or posting is reading it at this
 * moment.
 */
export function* markChanged(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks([...new Set(ids)], ITEMS_PER_STATEMENT)) {
    const given = JSON.stringify(some);
    // The first comparison and the first posting list everything ever seen: before them nothing needs to be listed.
    yield* run(sql`insert into uncompared (kind, id, seq) select ${kind}, value, 1 from json_each(${given})
      where exists (select 1 from compared_sum) on conflict (kind, id) do update set seq = uncompared.seq + 1`);
    yield* run(sql`insert into unposted (kind, id, seq) select ${kind}, value, 1 from json_each(${given})
      where exists (select 1 from posted_so_far) on conflict (kind, id) do update set seq = unposted.seq + 1`);
  }
}
