/** Which receipt is which: the key of each row of a deposit's receivedFunds, the same on every look. */
import { hash } from "node:crypto";
import type { ObservedFunds } from "../model/index.ts";

/**
 * The key of each row, in the order given: its transactionId; without one, "txHash#1", "txHash#2" by rising amount, so that
 * a reordered answer keeps them. Undefined where rows cannot be told apart, or a row bears no identity or no amount.
 */
export function receiptKeys(rows: readonly ObservedFunds[]): (string | undefined)[] {
  return rows.map((row) => {
    if (row.transactionId !== undefined) return byTransactionId(row.transactionId, rows);
    return row.txHash === undefined ? undefined : byTxHash(row, row.txHash, rows);
  });
}

function byTransactionId(transactionId: string, rows: readonly ObservedFunds[]): string | undefined {
  const key = inKey(transactionId);
  const same = rows.filter(
    (other) => other.transactionId !== undefined && inKey(other.transactionId) === key,
  );
  return same.length === 1 ? key : undefined;
}

function byTxHash(row: ObservedFunds, txHash: string, rows: readonly ObservedFunds[]): string | undefined {
  const { amount } = row;
  if (amount === undefined) return undefined;
  const others = rows.filter(
    (one) => one !== row && hasTxHash(one, txHash) && one.transactionId === undefined,
  );
  let ordinal = 1;
  for (const other of others) {
    const order = other.amount?.value.compare(amount.value);
    if (order === undefined || order === 0) return undefined;
    if (order < 0) ordinal += 1;
  }
  return `${inKey(txHash)}#${ordinal}`;
}

/** Compared as it stands in the key, in which half a surrogate pair is as good as any other. */
function hasTxHash(row: ObservedFunds, txHash: string): boolean {
  return row.txHash !== undefined && inKey(row.txHash) === inKey(txHash);
}

/** PostgreSQL has no index of texts that are longer than 2,704 bytes, and one such id would end every ledger run. */
const KEY_LENGTH_MAX = 500;

/** Keys become ids in files: what the service made up may hold no separator, space or control character there. */
function inKey(id: string): string {
  const key = encodeURIComponent(id.toWellFormed());
  return key.length <= KEY_LENGTH_MAX ? key : hash("sha256", key);
}
