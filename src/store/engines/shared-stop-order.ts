/** The stop order that is stored in the database, in addition to those of the record (sending/stop-order.ts). */
import { run, single, sql, type Transaction } from "../sql.ts";

export function findStopOrder(): Transaction<string | undefined> {
  return single(sql`select reason from stop_order limit 1`);
}

export function* setStopOrder(reason: string): Transaction<void> {
  yield* removeStopOrder();
  yield* run(sql`insert into stop_order (reason) values (${reason})`);
}

export function* removeStopOrder(): Transaction<void> {
  yield* run(sql`delete from stop_order`);
}
