/** Balances as the service reported them: the opening balances of the baseline, and the latest. */
import type { ObservedBalance } from "../model/index.ts";
import { amountOf } from "../money/index.ts";
import { objects, run, sql, type Transaction } from "./sql.ts";

type BalancePurpose = "opening" | "latest";

export type BalanceSnapshot = Pick<ObservedBalance, "custodyAccountId" | "total" | "observedAt">;

export function* recordBalance(
  purpose: BalancePurpose,
  { custodyAccountId: id, total, observedAt }: BalanceSnapshot,
): Transaction<void> {
  yield* run(sql`insert into balance (custody_account_id, purpose, total, currency, observed_at)
    values (${id}, ${purpose}, ${total.value.toString()}, ${total.currency}, ${observedAt})
    on conflict (custody_account_id, purpose) do update
    set total = excluded.total, currency = excluded.currency, observed_at = excluded.observed_at`);
}

export function* listBalances(purpose: BalancePurpose): Transaction<BalanceSnapshot[]> {
  const kept = yield* objects<Omit<BalanceSnapshot, "total"> & { total: string; currency: string }>(
    sql`select custody_account_id, total, currency, observed_at
      from balance where purpose = ${purpose} order by custody_account_id`,
  );
  return kept.map(({ total, currency, ...balance }) => ({ ...balance, total: amountOf(total, currency) }));
}
