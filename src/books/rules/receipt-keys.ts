/** Identifies receipts: each row of a deposit's receivedFunds has a key that stays the same on every look. */
import { hash } from "node:crypto";
import {
  comparableTransaction,
  compareText,
  type JournalEntry,
  type ObservedFunds,
} from "../../model/index.ts";
import { type Amount, sameAmount } from "../../money/index.ts";

/**
 * The key of each row, in the given order: its transactionId, or "txHash#1", "txHash#2" by rising amount, so that
 * reordered answers keep their keys. Rows with one transactionId are numbered in the same way. Undefined for rows
 * without identity or amount, or whose ids a key cannot distinguish.
 */
export function receiptKeys(rows: readonly ObservedFunds[]): (string | undefined)[] {
  const keys = new Map<number, string>();
  const named = rows.map((row, index) => ({ row, index, name: nameOf(row) }));
  for (const [name, same] of Map.groupBy(named, (each) => each.name)) {
    if (name === undefined || !isOneTransaction(same.map(({ row }) => row))) continue;
    const [only, another] = same;
    if (only?.row.transactionId !== undefined && another === undefined) keys.set(only.index, name);
    else if (same.every(({ row }) => row.amount !== undefined))
      for (const [place, { index }] of same.toSorted((a, b) => bySize(a.row, b.row)).entries())
        keys.set(index, `${name.replace(/#$/, "")}#${place + 1}`);
  }
  const owners = Map.groupBy(keys, ([, key]) => key);
  return rows.map((_, index) => {
    const key = keys.get(index);
    return key !== undefined && owners.get(key)?.length === 1 ? key : undefined;
  });
}

/** The live entry of a receipt, reduced to what identifies the movement. */
export interface BookedReceipt {
  readonly key: string;
  readonly txHash: string | undefined;
  readonly amount: Amount;
}

/**
 * Undefined for other entries. Reads the side that clears deposits, because it has the whole amount without a fee.
 */
export function bookedReceipt(entry: JournalEntry): BookedReceipt | undefined {
  const cleared = entry.lines.find(({ credit }) => credit !== undefined);
  if (entry.kind !== "deposit-receipt" || cleared?.credit === undefined) return undefined;
  const { quantity = { currency: entry.currency, value: cleared.credit.negated() } } = cleared;
  const amount = { currency: quantity.currency, value: quantity.value.negated() };
  // Earlier entries have the hash, and a key, as the service spelt them.
  const txHash = entry.txHash && comparableTransaction(entry.txHash);
  return { key: receiptKeyIn(entry.factId, entry.sourceId), txHash, amount };
}

export function receiptKeyIn(factId: string, depositId: string): string {
  return factId.slice(`deposit:${depositId}:receipt:`.length);
}

/** Whether receipts of different deposits book the same movement. */
export function isSameBooking(left: BookedReceipt, right: BookedReceipt): boolean {
  if (!sameAmount(left.amount, right.amount)) return false;
  return (
    nameIn(left.key) === nameIn(right.key) || (left.txHash !== undefined && left.txHash === right.txHash)
  );
}

/**
 * The keys under which the rows were booked: a row whose id was added or removed since is still the same movement.
 * The others keep their own keys.
 */
export function keysAsBooked(
  rows: readonly ObservedFunds[],
  keys: readonly (string | undefined)[],
  booked: readonly BookedReceipt[],
): (string | undefined)[] {
  const plain = new Set(keys);
  const open = booked.filter(({ key }) => !plain.has(key));
  const isBooked = new Set(booked.map(({ key }) => key));
  return keys.map((key, index) => {
    const row = rows[index];
    if (key === undefined || row === undefined || isBooked.has(key)) return key;
    const same = open.findIndex((receipt) => isBookedAs(receipt, row));
    const [former] = same < 0 ? [] : open.splice(same, 1);
    return former?.key ?? key;
  });
}

function isBookedAs({ key, txHash, amount }: BookedReceipt, row: ObservedFunds): boolean {
  if (row.amount === undefined || !sameAmount(row.amount, amount)) return false;
  if (txHash !== undefined && txHash === row.txHash) return true;
  const name = nameIn(key);
  return [row.transactionId, txHash === undefined ? row.txHash : undefined].some(
    (id) => id !== undefined && inKey(id) === name,
  );
}

function nameIn(key: string): string {
  const [name = ""] = key.split("#");
  return comparableTransaction(name);
}

/**
 * The name that a row shares with others of its transaction, encoded; the encoding makes all lone surrogates equal.
 * A hash ends in "#", which no encoded id contains.
 */
function nameOf({ transactionId, txHash }: ObservedFunds): string | undefined {
  if (transactionId !== undefined) return inKey(transactionId);
  return txHash === undefined ? undefined : `${inKey(txHash)}#`;
}

function isOneTransaction([first, ...others]: readonly ObservedFunds[]): boolean {
  return others.every((row) =>
    first?.transactionId === undefined
      ? row.txHash === first?.txHash
      : row.transactionId === first.transactionId,
  );
}

/** By amount; equal amounts by other shown details. Rows that are equal in these too are interchangeable. */
function bySize(left: ObservedFunds, right: ObservedFunds): number {
  const byAmount = left.amount && right.amount ? left.amount.value.compare(right.amount.value) : 0;
  return byAmount || compareText(detailsOf(left), detailsOf(right));
}

/** Unconfirmed rows come last, so that their confirmation does not move the others. */
function detailsOf({ createdAt, confirmedAt, rate }: ObservedFunds): string {
  return `${createdAt ?? ""} ${confirmedAt ?? "unconfirmed"} ${rate?.rate.normalized() ?? ""}`;
}

/** PostgreSQL cannot index a text longer than 2,704 bytes; one such id would make every ledger run fail. */
const KEY_LENGTH_MAX = 500;

/** Keys become ids in files, so ids from the service must not bring separators, spaces or control characters. */
function inKey(id: string): string {
  const key = encodeURIComponent(id.toWellFormed());
  return key.length <= KEY_LENGTH_MAX ? key : hash("sha256", key);
}
