/** Identifies receipts: each row of a deposit's receivedFunds has a key that stays the same on every look. */
import { hash } from "node:crypto";
import type { ObservedFunds } from "../model/index.ts";

/**
 * The key of each row, in the given order: its transactionId, otherwise "txHash#1", "txHash#2" by rising amount, so
 * that reordered answers keep their keys. Undefined for rows without identity or amount, or that cannot be told apart.
 */
export function receiptKeys(rows: readonly ObservedFunds[]): (string | undefined)[] {
  const named = rows.map((row) => ({ row, name: nameOf(row) }));
  const groups = Map.groupBy(named, ({ name }) => name);
  return named.map((each) => {
    const { row, name } = each;
    const same = groups.get(name) ?? [];
    if (name === undefined || row.transactionId !== undefined) return same.length === 1 ? name : undefined;
    const others = same.filter((other) => other !== each).map((other) => other.row);
    const place = placeByAmount(row, others);
    return place === undefined ? undefined : `${name}${place}`;
  });
}

/** What a row shares with others of its transaction; in its encoded form, in which different lone surrogates are equal. */
function nameOf({ transactionId, txHash }: ObservedFunds): string | undefined {
  if (transactionId !== undefined) return inKey(transactionId);
  return txHash === undefined ? undefined : `${inKey(txHash)}#`;
}

/** From 1; undefined if an amount is unknown or equal. */
function placeByAmount({ amount }: ObservedFunds, others: readonly ObservedFunds[]): number | undefined {
  if (amount === undefined) return undefined;
  const orders = others.map((other) => other.amount?.value.compare(amount.value) ?? 0);
  return orders.includes(0) ? undefined : 1 + orders.filter((order) => order < 0).length;
}

/** PostgreSQL cannot index a text longer than 2,704 bytes; one such id would make every ledger run fail. */
const KEY_LENGTH_MAX = 500;

/** Keys become ids in files, so ids from the service must not bring separators, spaces or control characters. */
function inKey(id: string): string {
  const key = encodeURIComponent(id.toWellFormed());
  return key.length <= KEY_LENGTH_MAX ? key : hash("sha256", key);
}
