/** The mirror of a posted entry: entries are never changed, but reversed and booked again. */
import { type JournalEntry, sourceKindOf } from "../../model/index.ts";
import { firstOpenDay, type LedgerPolicy } from "./policy.ts";

/** Booked on the entry's own day, or on the first open day if that period has been closed since. */
export function reverseEntry(
  posted: JournalEntry,
  policy: Pick<LedgerPolicy, "closedThrough">,
): JournalEntry {
  const { questions: _, ...entry } = posted;
  return {
    ...entry,
    entryId: `${entry.entryId}:reverse`,
    kind: `${sourceKindOf(entry)}-reverse`,
    bookDay: firstOpenDay(entry.bookDay, policy),
    reversalOf: entry.entryId,
    narration: `Reversal: ${entry.narration}`,
    lines: entry.lines.map(({ debit, credit, quantity, ...line }) => ({
      ...line,
      // Some ERPs' files have no column for the narration.
      memo: `Reversal: ${line.memo}`,
      debit: credit,
      credit: debit,
      quantity: quantity && { ...quantity, value: quantity.value.negated() },
    })),
  };
}
