/** Identifies receipts: each row of a deposit's receivedFunds has a key that stays the same on every look. */
import { hash } from "node:crypto";
import type { ObservedFunds } from "../model/index.ts";

/**
 * The key of each row, in the given order: its transactionId, otherwise "txHash#1", "txHash#2" by rising amount, so
 * that reordered answers keep their keys. Undefined for rows without identity or amount, or that cannot be told apart.
 */
export function receiptKeys(rows: readonly ObservedFunds[]): (string | undefined)[] {
  // Compared in their encoded form, in which different lone surrogates are equal.
  const named = rows.map(({ transactionId, txHash, amount }) => ({
    transaction: transactionId === undefined ? undefined : inKey(transactionId),
    tx: txHash === undefined ? undefined : inKey(txHash),
    amount,
  }));
  const byTransaction = Map.groupBy(named, ({ transaction }) => transaction);
  const withoutTransaction = byTransaction.get(undefined) ?? [];
  const byTx = Map.groupBy(withoutTransaction, ({ tx }) => tx);
  return named.map((row) =>
    row.transaction === undefined
      ? byTxHash(row, byTx.get(row.tx) ?? [])
      : byTransactionId(row, byTransaction.get(row.transaction) ?? []),
  );
}

/** A row's ids as they appear in keys. */
interface NamedRow {
  readonly transaction: string | undefined;
  readonly tx: string | undefined;
  readonly amount: ObservedFunds["amount"] | undefined;
}

/** `same`: the rows with this transactionId. */
function byTransactionId({ transaction }: NamedRow, same: readonly NamedRow[]): string | undefined {
  return same.length === 1 ? transaction : undefined;
}

/** `same`: the rows with this txHash that have no transactionId. */
function byTxHash(row: NamedRow, same: readonly NamedRow[]): string | undefined {
  const { tx, amount } = row;
  if (tx === undefined || amount === undefined) return undefined;
  let ordinal = 1;
  for (const other of same) {
    if (other === row) continue;
    const order = other.amount?.value.compare(amount.value);
    if (order === undefined || order === 0) return undefined;
    if (order < 0) ordinal += 1;
  }
  return `${tx}#${ordinal}`;
}

/** PostgreSQL cannot index a text longer than 2,704 bytes; one such id would make every ledger run fail. */
const KEY_LENGTH_MAX = 500;

/** Keys become ids in files, so ids from the service must not bring separators, spaces or control characters. */
function inKey(id: string): string {
  const key = encodeURIComponent(id.toWellFormed());
  return key.length <= KEY_LENGTH_MAX ? key : hash("sha256", key);
}
