/** Which receipt is which: the key of each row of a deposit's receivedFunds, the same on every look. */
import { hash } from "node:crypto";
import type { ObservedFunds } from "../model/index.ts";

/**
 * The key of each row, in the order given: its transactionId; without one, "txHash#1", "txHash#2" by rising amount, so that
 * a reordered answer keeps them. Undefined where rows cannot be told apart, or a row bears no identity or no amount.
 */
export function receiptKeys(rows: readonly ObservedFunds[]): (string | undefined)[] {
  // Compared as they stand in the keys, in which half a surrogate pair is as good as another half.
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

/** The ids of a row as they stand in keys. */
interface NamedRow {
  readonly transaction: string | undefined;
  readonly tx: string | undefined;
  readonly amount: ObservedFunds["amount"] | undefined;
}

/** `same`: the rows of its transactionId. */
function byTransactionId({ transaction }: NamedRow, same: readonly NamedRow[]): string | undefined {
  return same.length === 1 ? transaction : undefined;
}

/** `same`: the rows of its txHash that have no transactionId. */
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

/** PostgreSQL has no index of texts that are longer than 2,704 bytes, and one such id would end every ledger run. */
const KEY_LENGTH_MAX = 500;

/** Keys become ids in files: what the service made up may hold no separator, space or control character there. */
function inKey(id: string): string {
  const key = encodeURIComponent(id.toWellFormed());
  return key.length <= KEY_LENGTH_MAX ? key : hash("sha256", key);
}
