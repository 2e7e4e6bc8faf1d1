/** The one order of entries in every file: by book day, so that any order of posting gives the same bytes. */
import type { EntryKind, JournalEntry } from "../model/index.ts";

/** A copy by book day, value instant, kind (what brings money before what applies it), fact and revision. */
export function inJournalOrder(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.toSorted(
    (a, b) =>
      compare(a.bookDay, b.bookDay) ||
      compare(a.valueInstant, b.valueInstant) ||
      KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
      compare(a.factId, b.factId) ||
      a.revision - b.revision ||
      compare(a.entryId, b.entryId),
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

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
