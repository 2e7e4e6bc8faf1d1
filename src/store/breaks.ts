/** Reconciliation breaks: they open, stay while the difference stays, and close when it is gone. Nothing is deleted. */
import type { Break, Instant } from "../model/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

export interface StoredBreak extends Break {
  readonly openedAt: Instant;
}

/** Makes `found` the open breaks: new ones open, those no longer found close, and one that comes back keeps its first `openedAt`. */
export function* replaceOpenBreaks(found: readonly Break[], at: Instant): Transaction<void> {
  const ids = JSON.stringify(found.map(({ id }) => id));
  yield* run(sql`update break set closed_at = ${at}
    where closed_at is null and id not in (select value from json_each(${ids}))`);
  for (const difference of found) {
    yield* run(sql`insert into break (id, kind, body, opened_at) values (${difference.id}, ${difference.kind}, ${JSON.stringify(difference)}, ${at})
      on conflict (id) do update set body = excluded.body, closed_at = null`);
  }
}

export function* listOpenBreaks(): Transaction<StoredBreak[]> {
  const rows = yield* all<{ body: string; opened_at: string }>(
    sql`select body, opened_at from break where closed_at is null order by id`,
  );
  return rows.map((row) => ({ ...(JSON.parse(row.body) as Break), openedAt: row.opened_at }));
}
