/** All of history, page by page, for a comparison of so many payments that asking for each of them would take longer. */
import type { Instant, Standing } from "../model/index.ts";
import { all, first, sql, type Transaction } from "./sql.ts";

/** How many instructions there are. */
export function* countPast(): Transaction<number> {
  const row = yield* first<{ count: number | null }>(sql`select sum(row_count) as count from batch`);
  return row?.count ?? 0;
}

/** A text of one instruction, and where the next page of its list begins. */
export interface PastText {
  readonly text: string;
  readonly batch_id: string;
  readonly row: number;
}

/** The next page of a list: at most `count` texts that come after `after`. Each list follows an index. */
export type ListPast = (after: PastText, count: number) => Transaction<readonly PastText[]>;

/** Where a list begins. */
export const BEFORE_ALL: PastText = { text: "", batch_id: "", row: 0 };

/** All references, in their own order: they are read off their index. */
export const listPastReferences: ListPast = (after, count) =>
  all<PastText>(sql`select reference as text, '' as batch_id, 0 as row
    from instruction where reference > ${after.text} order by reference limit ${count}`);

/** The destinations, in comparable form, that an accepted payment went to. */
export const listPastPaid: ListPast = (after, count) =>
  all<PastText>(sql`select destination as text, batch_id, row
    from instruction where standing = ${"accepted" satisfies Standing} and (batch_id, row) > (${after.batch_id}, ${after.row})
    order by batch_id, row limit ${count}`);

/** Destination in comparable form and amount of what was submitted after the instant given. */
export function listPastPayments(since: Instant): ListPast {
  // With an empty text, which keeps SQLite from beginning each page at the first row of a batch.
  return (after, count) =>
    all<PastText>(sql`select destination || ' ' || amount as text, batch_id, row
      from instruction where batch_id || '' in (select id from batch where submitted_at > ${since})
        and (batch_id, row) > (${after.batch_id}, ${after.row})
      order by batch_id, row limit ${count}`);
}
