/** Running sums over all entries of the journal. */
import type { LedgerSum } from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import { all, insertRows, run, sql, type Transaction } from "./sql.ts";

/** Ordered by account. */
export function* listLedgerSums(): Transaction<readonly LedgerSum[]> {
  const rows = yield* all<Row>(sql`select * from ledger_sum order by code, name, custody_account, currency`);
  return rows.map(sumOf);
}

/** Adds sums to those that are kept, by key. */
export function* addToLedgerSums(added: readonly LedgerSum[]): Transaction<void> {
  if (added.length === 0) return;
  const codes = [...new Set(added.map(({ code }) => code))];
  const rows = yield* all<Row>(sql`select * from ledger_sum where code in ${codes}`);
  const before = new Map(rows.map(sumOf).map((sum) => [keyOf(sum), sum]));
  yield* insertRows(
    "insert into ledger_sum (code, name, custody_account, currency, debit, credit, quantity)",
    added.map((sum) => {
      const former = before.get(keyOf(sum));
      const total = (figure: "debit" | "credit" | "quantity") =>
        (former === undefined ? sum[figure] : former[figure].plus(sum[figure])).toString();
      const key = [sum.code, sum.name, sum.custodyAccount, sum.currency];
      return [...key, total("debit"), total("credit"), total("quantity")];
    }),
    sql`on conflict (code, name, custody_account, currency)
      do update set debit = excluded.debit, credit = excluded.credit, quantity = excluded.quantity`,
  );
}

export function* forgetLedgerSums(): Transaction<void> {
  yield* run(sql`delete from ledger_sum`);
}

function keyOf({ code, name, custodyAccount, currency }: LedgerSum): string {
  return JSON.stringify([code, name, custodyAccount, currency]);
}

interface Row {
  readonly code: string;
  readonly name: string;
  readonly custody_account: string;
  readonly currency: string;
  readonly debit: string;
  readonly credit: string;
  readonly quantity: string;
}

function sumOf({ custody_account: custodyAccount, debit, credit, quantity, ...key }: Row): LedgerSum {
  return {
    ...key,
    custodyAccount,
    debit: Decimal.of(debit),
    credit: Decimal.of(credit),
    quantity: Decimal.of(quantity),
  };
}
