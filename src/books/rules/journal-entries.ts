/** Entries of the journal: their order, which of them are live, and whether each balances. */
import { invariant } from "../../faults/index.ts";
import { compareText, type EntryKind, type JournalEntry } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

/** The values that decide an entry's place. */
export type JournalPlace = Pick<
  JournalEntry,
  "bookDay" | "valueInstant" | "kind" | "factId" | "revision" | "entryId"
>;

export type EntryName = Pick<JournalEntry, "factId" | "revision" | "entryId">;

/**
 * A sorted copy, so that any order of posting gives the same bytes: by book day, value instant, kind (receipts
 * before applies), fact and revision.
 */
export function inJournalOrder<Entry extends JournalPlace>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(
    (a, b) =>
      compareText(a.bookDay, b.bookDay) ||
      compareText(a.valueInstant, b.valueInstant) ||
      KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
      compareOfOneMoment(a, b),
  );
}

/** Orders entries that agree in day, instant and kind. */
export function compareOfOneMoment(a: EntryName, b: EntryName): number {
  return compareText(a.factId, b.factId) || a.revision - b.revision || compareText(a.entryId, b.entryId);
}

export const KIND_ORDER: Readonly<Record<EntryKind, number>> = {
  "payout-settle": 0,
  "payout-reverse": 0,
  transfer: 0,
  "deposit-receipt": 1,
  "deposit-reverse": 1,
  "deposit-apply": 2,
};

/** By fact, the entry in force: neither a reversal nor reversed. */
export function liveEntries(alreadyPosted: readonly JournalEntry[]): Map<string, JournalEntry> {
  const reversed = new Set(alreadyPosted.flatMap(({ reversalOf }) => reversalOf ?? []));
  const inForce = alreadyPosted.filter(
    ({ entryId, reversalOf }) => reversalOf === undefined && !reversed.has(entryId),
  );
  const live = new Map(inForce.map((entry) => [entry.factId, entry]));
  invariant(live.size === inForce.length, "a fact has at most one live entry");
  return live;
}

/** The revision of a fact's next entry. `alreadyPosted`: all its entries. */
export function nextRevisions(alreadyPosted: readonly JournalEntry[]): (factId: string) => number {
  const last = new Map<string, number>();
  for (const { factId, revision } of alreadyPosted)
    last.set(factId, Math.max(revision, last.get(factId) ?? 0));
  return (factId) => 1 + (last.get(factId) ?? 0);
}

/** Throws INVARIANT_BROKEN, which stops the run. */
export function checkBalance(entry: JournalEntry): void {
  const difference = imbalanceOf(entry);
  invariant(difference === undefined, `entry ${entry.entryId} does not balance: ${difference}`);
}

function imbalanceOf({ lines }: JournalEntry): string | undefined {
  let [debits, credits] = [Decimal.zero, Decimal.zero];
  for (const [index, { debit, credit }] of lines.entries()) {
    if ((debit === undefined) === (credit === undefined)) {
      return `line ${index + 1} has ${debit === undefined ? "neither side" : "both sides"}`;
    }
    if (debit?.isNegative() || credit?.isNegative()) return `line ${index + 1} is negative`;
    if (debit !== undefined) debits = debits.plus(debit);
    if (credit !== undefined) credits = credits.plus(credit);
  }
  if (lines.length < 2) return `it has ${lines.length} lines`;
  return debits.equals(credits) ? undefined : `debits are ${debits}, credits ${credits}`;
}
