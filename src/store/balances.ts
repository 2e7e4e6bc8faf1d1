/** Balances as the service reported them: the opening of our time, and the latest. */
import { custodyAccountId, type ObservedBalance } from "../model/index.ts";
import { amountOf } from "../money/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

export type BalancePurpose = "opening" | "latest";

export type BalanceSnapshot = Pick<ObservedBalance, "custodyAccountId" | "total" | "observedAt">;

export function* keepBalance(
  purpose: BalancePurpose,
  { custodyAccountId: id, total, observedAt }: BalanceSnapshot,
): Transaction<void> {
  yield* run(sql`insert into balance (custody_account_id, purpose, total, currency, observed_at)
    values (${id}, ${purpose}, ${total.value.toString()}, ${total.currency}, ${observedAt})
    on conflict (custody_account_id, purpose) do update
    set total = excluded.total, currency = excluded.currency, observed_at = excluded.observed_at`);
}

export function* listBalances(purpose: BalancePurpose): Transaction<BalanceSnapshot[]> {
  const rows = yield* all<{
    custody_account_id: string;
    total: string;
    currency: string;
    observed_at: string;
  }>(sql`select * from balance where purpose = ${purpose} order by custody_account_id`);
  return rows.map((row) => ({
    custodyAccountId: custodyAccountId(row.custody_account_id),
    total: amountOf(row.total, row.currency),
    observedAt: row.observed_at,
  }));
}
