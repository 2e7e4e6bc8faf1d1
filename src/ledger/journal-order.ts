/** The order of entries in all files, so that any order of posting gives the same bytes. */
import { compareText, type EntryKind, type JournalEntry } from "../model/index.ts";

/** What decides an entry's place. */
export type JournalPlace = Pick<
  JournalEntry,
  "bookDay" | "valueInstant" | "kind" | "factId" | "revision" | "entryId"
>;

/** A sorted copy: by book day, value instant, kind (receipts before applies), fact and revision. */
export function inJournalOrder<Entry extends JournalPlace>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(
    (a, b) =>
      compareText(a.bookDay, b.bookDay) ||
      compareText(a.valueInstant, b.valueInstant) ||
      KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
      compareText(a.factId, b.factId) ||
      a.revision - b.revision ||
      compareText(a.entryId, b.entryId),
  );
}

const KIND_ORDER: Readonly<Record<EntryKind, number>> = {
  "payout-settle": 0,
  "payout-reverse": 0,
  transfer: 0,
  "deposit-receipt": 1,
  "deposit-reverse": 1,
  "deposit-apply": 2,
};
