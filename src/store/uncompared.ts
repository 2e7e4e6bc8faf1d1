/** The payouts and deposits that the next comparison has to compare, because something about them has changed. */
import { chunks } from "../model/chunks.ts";
import type { ObservedKind } from "../model/index.ts";
import { ITEMS_PER_STATEMENT, run, sql, type Transaction } from "./sql.ts";

export function* markUncompared(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  for (const some of chunks(ids, ITEMS_PER_STATEMENT))
    yield* run(sql`insert into uncompared (kind, id) select ${kind}, value from json_each(${JSON.stringify(some)}) where true
      on conflict do nothing`);
}
