/** The whole history in passing, for whoever compares so many payments with it that asking for each would take longer. */
import type { Instant } from "../model/index.ts";
import { all, first, sql, type Transaction } from "./sql.ts";

/** How many instructions there are. */
export function* countPast(): Transaction<number> {
  const row = yield* first<{ count: number | null }>(sql`select sum(row_count) as count from batch`);
  return row?.count ?? 0;
}

export interface PastPayment {
  readonly batch_id: string;
  readonly row: number;
  readonly reference: string;
  /** In comparable form; null unless an accepted payment went to it. */
  readonly paid: string | null;
  /** In comparable form, with the amount; null unless it was submitted after the instant given. */
  readonly payment: string | null;
}

/** At most `count` of them, from behind the one given, in the order of their batches. */
export function* listPast(
  after: Pick<PastPayment, "batch_id" | "row">,
  since: Instant,
  count: number,
): Transaction<readonly PastPayment[]> {
  return yield* all<PastPayment>(sql`select batch_id, row, reference,
      case when standing = 'accepted' then destination end as paid,
      case when batch_id in (select id from batch where submitted_at > ${since}) then destination || ' ' || amount end as payment
    from instruction where (batch_id, row) > (${after.batch_id}, ${after.row}) order by batch_id, row limit ${count}`);
}
