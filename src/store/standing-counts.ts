/** How many payments stand where and since when, without reading them: asked every few seconds, of any number of payments. */
import type { Instant, Standing } from "../model/index.ts";
import { all, sql, type Transaction } from "./sql.ts";

/** Only standings that occur. */
export function* countByStanding(): Transaction<ReadonlyMap<Standing, number>> {
  const rows = yield* all<{ standing: Standing; count: number }>(
    sql`select standing, count(*) as count from instruction group by standing`,
  );
  return new Map(rows.map(({ standing, count }) => [standing, count]));
}

/** When the payment that has stood at each of these the longest came to stand there. */
export function* longestStandingSince(
  standings: readonly Standing[],
): Transaction<ReadonlyMap<Standing, Instant>> {
  const rows = yield* all<{ standing: Standing; since: Instant }>(
    sql`select standing, min(changed_at) as since from instruction
      where standing in (select value from json_each(${JSON.stringify(standings)})) group by standing`,
  );
  return new Map(rows.map(({ standing, since }) => [standing, since]));
}
