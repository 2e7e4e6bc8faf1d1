/**
 * The whole payment history, page by page, for comparing so many payments that looking each one up would take longer.
 */
import type { Instant, Standing } from "../model/index.ts";
import { all, countOf, sql, type Transaction } from "./sql.ts";

/** The number of instructions. */
export function countPast(): Transaction<number> {
  return countOf(sql`select sum(row_count) as count from batch`);
}

/** A text of one instruction, with the key after which the next page begins. */
export interface PastText {
  readonly text: string;
  readonly batch_id: string;
  readonly row: number;
}

/** Reads the next page of a list: at most `count` texts after `after`, in the order of an index. */
export type ListPast = (after: PastText, count: number) => Transaction<readonly PastText[]>;

/** The key before the first page. */
export const BEFORE_ALL: PastText = { text: "", batch_id: "", row: 0 };

export const listPastReferences: ListPast = (after, count) =>
  all<PastText>(sql`select reference as text, '' as batch_id, 0 as row
    from instruction where reference > ${after.text} order by reference limit ${count}`);

/** The destinations of accepted payments, in comparable form. */
export const listPastPaid: ListPast = (after, count) =>
  all<PastText>(sql`select destination as text, batch_id, row
    from instruction where standing = ${"accepted" satisfies Standing} and (batch_id, row) > (${after.batch_id}, ${after.row})
    order by batch_id, row limit ${count}`);

/** Destination (in comparable form) and amount of each payment with this standing. */
export function listPastStanding(standing: Standing): ListPast {
  return (after, count) =>
    all<PastText>(sql`select destination || ' ' || amount as text, batch_id, row
      from instruction where standing = ${standing} and (batch_id, row) > (${after.batch_id}, ${after.row})
      order by batch_id, row limit ${count}`);
}

/** Destination (in comparable form) and amount of each payment submitted after `since`. */
export function listPastPayments(since: Instant): ListPast {
  // The empty text keeps SQLite from starting each page at the first row of a batch.
  return (after, count) =>
    all<PastText>(sql`select destination || ' ' || amount as text, batch_id, row
      from instruction where batch_id || '' in (select id from batch where submitted_at > ${since})
        and (batch_id, row) > (${after.batch_id}, ${after.row})
      order by batch_id, row limit ${count}`);
}
