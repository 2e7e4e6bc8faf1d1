/** Sums of a journal per ledger account. Treasury is credited at transaction value: gain and loss is the ERP's to book. */
import type { JournalEntry, JournalLine, LedgerAccount } from "../model/index.ts";
import { type Amount, Decimal } from "../money/index.ts";
import { checkBalance } from "./check-balance.ts";

export interface TrialBalanceRow extends LedgerAccount {
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Debit less credit; over all rows it is zero. */
  readonly balance: Decimal;
  /** Net quantity of each cryptocurrency that moved on the account, by currency; debit positive. */
  readonly quantities: readonly Amount[];
}

export interface TrialBalance {
  /** By account code. */
  readonly rows: readonly TrialBalanceRow[];
  readonly debit: Decimal;
  readonly credit: Decimal;
}

/** Throws LEDGER_UNBALANCED for an entry that does not balance. */
export function trialBalance(entries: readonly JournalEntry[]): TrialBalance {
  for (const entry of entries) checkBalance(entry);
  const lines = entries.flatMap((entry) => entry.lines);
  const byAccount = Map.groupBy(lines, ({ account }) => JSON.stringify([account.code, account.name]));
  const rows = [...byAccount.values()]
    .flatMap(rowOf)
    .sort((a, b) => compare(a.code, b.code) || compare(a.name, b.name));
  return {
    rows,
    debit: Decimal.sum(rows.map((row) => row.debit)),
    credit: Decimal.sum(rows.map((row) => row.credit)),
  };
}

function rowOf(lines: readonly JournalLine[]): TrialBalanceRow[] {
  const [first] = lines;
  if (first === undefined) return [];
  const debit = Decimal.sum(lines.flatMap((line) => line.debit ?? []));
  const credit = Decimal.sum(lines.flatMap((line) => line.credit ?? []));
  const { code, name } = first.account;
  return [{ code, name, debit, credit, balance: debit.minus(credit), quantities: quantitiesOf(lines) }];
}

function quantitiesOf(lines: readonly JournalLine[]): Amount[] {
  const moved = Map.groupBy(
    lines.flatMap(({ quantity }) => quantity ?? []),
    ({ currency }) => currency,
  );
  return [...moved]
    .map(([currency, amounts]) => ({ currency, value: Decimal.sum(amounts.map(({ value }) => value)) }))
    .sort((a, b) => compare(a.currency, b.currency));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
